// The `stripe` SDK, at the real service or at whatever speaks its HTTP at `apiUrl`.
import Stripe from 'stripe';
import type { CardTerms } from './configuration.ts';

/** Of one try; with one more, and the pause between them, a person has the answer before the connection is given up. */
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

/** Whether an error is the processor's trouble, or ours with it, and not its answer: nobody who buys can do anything about a key that is refused. */
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

/** A thing is its id, or itself where it was expanded. */
export const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;
