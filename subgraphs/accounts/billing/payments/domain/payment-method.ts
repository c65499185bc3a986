// How an order can be paid, by way of the one who takes the money.
import { DAY } from '#platform/clock.ts';
import { type Failure, fail } from '#platform/errors.ts';
import { formatMoney, usd } from '#commerce/money.ts';

export type PaymentMethod = 'CARD' | 'BANK_TRANSFER' | 'CRYPTO';

/** Spec, Payments: bank transfer from 500 USD for one purchase, from 1,000 USD for a subscription; with tax, before credit. */
export const SMALLEST_TRANSFER_MINOR = 50_000;
export const SMALLEST_RECURRING_TRANSFER_MINOR = 100_000;
/** Spec is silent: so long a bank and a person at support may take. */
export const TRANSFER_VALID_MS = 14 * DAY;

/** Who took a payment -> its ledger, and what invoices call it. */
export const PROCESSORS = {
  card: { ledger: 'PROCESSOR', method: 'CARD' },
  bank: { ledger: 'BANK', method: 'BANK_TRANSFER' },
  crypto: { ledger: 'CRYPTO', method: 'CRYPTO' },
} as const;
export type Processor = keyof typeof PROCESSORS;

export interface TakenPayment {
  processor: Processor;
  /** The processor's id of it; the bank's reference. */
  processorId: string;
  /** The card, where it was saved: what is bought renews by it. */
  cardId?: string | undefined;
}

export const PAYMENT_METHODS = ['CARD', 'CRYPTO', 'BANK_TRANSFER'] as const satisfies readonly PaymentMethod[];

export interface MethodTerms {
  /** With tax, before account credit. */
  totalMinor: number;
  /** Whether a subscription is bought or changed. */
  recurs: boolean;
  /** Whether a crypto processor is set up. */
  hasCrypto: boolean;
}

/** Why a price cannot be paid this way, as the failure that ordering it would be; undefined when it can. */
export function whyNotMethod(method: PaymentMethod, { totalMinor, recurs, hasCrypto }: MethodTerms): Failure | undefined {
  const field = 'method';
  if (method === 'CRYPTO') return hasCrypto ? undefined : fail('crypto_not_available', { field });
  if (method === 'CARD') return undefined;
  const smallest = recurs ? SMALLEST_RECURRING_TRANSFER_MINOR : SMALLEST_TRANSFER_MINOR;
  if (totalMinor >= smallest) return undefined;
  const reason = `A bank transfer is possible from ${formatMoney(usd(smallest))}${recurs ? ' for a subscription' : ''}; this costs ${formatMoney(usd(totalMinor))}.`;
  return fail('bank_transfer_too_small', { field, reason });
}
