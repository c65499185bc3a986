// How an order can be paid, by way of the one who takes the money.
import { DAY } from '#shared/clock.ts';
import { fail } from '#shared/errors.ts';
import { formatMoney, usd } from '#shared/money.ts';

export type PaymentMethod = 'CARD' | 'BANK_TRANSFER';

/** Spec, Payments: bank transfer for one purchase from 500 USD; with tax, before credit. Subscriptions, from 1,000 USD, are not sold by accounts yet. */
export const SMALLEST_TRANSFER_MINOR = 50_000;
/** Spec is silent: so long a bank and a person at support may take. */
export const TRANSFER_VALID_MS = 14 * DAY;

/** Who took a payment -> its ledger, and what invoices call it. */
export const PROCESSORS = {
  card: { ledger: 'PROCESSOR', method: 'CARD' },
  bank: { ledger: 'BANK', method: 'BANK_TRANSFER' },
} as const;
export type Processor = keyof typeof PROCESSORS;

/** Throws `bank_transfer_too_small` with the reason. */
export function checkMethod(method: PaymentMethod, totalMinor: number): void {
  if (method === 'BANK_TRANSFER' && totalMinor < SMALLEST_TRANSFER_MINOR)
    throw fail('bank_transfer_too_small', {
      field: 'method',
      reason: `A bank transfer is possible from ${formatMoney(usd(SMALLEST_TRANSFER_MINOR))}; this costs ${formatMoney(usd(totalMinor))}.`,
    });
}
