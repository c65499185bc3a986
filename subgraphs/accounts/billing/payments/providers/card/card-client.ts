// The `stripe` SDK, at the real service or at whatever speaks its HTTP at `apiUrl`.
import Stripe from 'stripe';
import type { CardTerms } from './configuration.ts';

/** The time limit of one attempt. With a second one and the pause between them, callers get an answer before they give up the connection. */
const TIMEOUT_MS = 4_500;

export function createCardClient({ secretKey, apiUrl, timeoutMs = TIMEOUT_MS }: Omit<CardTerms, 'webhookSecrets'>): Stripe {
  const elsewhere = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(elsewhere && {
      host: elsewhere.hostname,
      port: Number(elsewhere.port || (elsewhere.protocol === 'https:' ? 443 : 80)),
      protocol: elsewhere.protocol.slice(0, -1) as 'http' | 'https',
    }),
  });
}

const {
  StripeConnectionError,
  StripeAPIError,
  StripeRateLimitError,
  StripeAuthenticationError,
  StripePermissionError,
  StripeIdempotencyError,
} = Stripe.errors;

/** Whether an error is a trouble of the processor, or of our access to it, and no answer to the request: a buyer can do nothing about a refused key. */
export const isCardTrouble = (error: unknown): boolean =>
  [
    StripeConnectionError,
    StripeAPIError,
    StripeRateLimitError,
    StripeAuthenticationError,
    StripePermissionError,
    StripeIdempotencyError,
  ].some((kind) => error instanceof kind);

export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** The id of a referenced object, which the processor gives as its id or, expanded, as the object. */
export const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;
