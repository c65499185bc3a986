// The `stripe` SDK, at the real service or at whatever speaks its HTTP at `apiUrl`.
import Stripe from 'stripe';
import { fail } from '#shared/errors.ts';

const TIMEOUT_MS = 10_000;

export function createCardClient({ secretKey, apiUrl }: { secretKey: string; apiUrl?: string }): Stripe {
  const elsewhere = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(elsewhere && {
      host: elsewhere.hostname,
      port: Number(elsewhere.port || (elsewhere.protocol === 'https:' ? 443 : 80)),
      protocol: elsewhere.protocol.slice(0, -1) as 'http' | 'https',
    }),
  });
}

/** For what a person waits for: trouble at the processor is told as such. Throws `vendor_unavailable`. */
export async function asked<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
    if ([StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind))
      throw fail('vendor_unavailable');
    throw error;
  }
}
