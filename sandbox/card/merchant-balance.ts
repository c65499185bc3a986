// Entries of the merchant's balance at the processor, with the processor's fees: https://docs.stripe.com/reports/balance-transaction-types
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';

interface Movement {
  type: 'charge' | 'payment' | 'refund' | 'payment_refund' | 'refund_failure' | 'adjustment' | 'stripe_fee' | 'payout' | 'payout_failure';
  /** `reporting_category`, by which finance reports group (https://docs.stripe.com/reports/reporting-categories). */
  category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal' | 'fee' | 'payout' | 'payout_reversal';
  /** Minor units; negative amounts leave the balance. */
  amount: number;
  /** The processor's fee, in addition. */
  fee: number;
  currency: string;
  source: string | null;
  description: string;
  /** Unix seconds; default: at once. */
  availableOn?: number;
}

/** The processor's fee for a charge: 2.9 % and 30 cents for cards, 0.8 % and at most 5.00 for debits (https://stripe.com/pricing). */
export const chargeFee = (amount: number, by: string = 'card'): number =>
  by === 'card' ? Math.round((amount * 29) / 1_000) + 30 : Math.min(Math.round((amount * 8) / 1_000), 500);
/** Per dispute; not returned when it is won: https://stripe.com/pricing, "Disputed payments". */
export const DISPUTE_FEE = 1_500;

const DAY = 86_400;
/** When a charge in the United States becomes available: after two days, at midnight UTC (https://docs.stripe.com/payouts, "Payout speed"). */
export const settlesOn = (now: number): number => Math.ceil(now / DAY) * DAY + DAY;

const FEE_WORDS: Partial<Record<Movement['category'], string>> = { charge: 'Stripe processing fees', dispute: 'Dispute fee' };

export function moveBalance(books: Books, { category, fee, amount, availableOn, ...movement }: Movement): Stripe.BalanceTransaction {
  const { currency } = movement;
  const now = books.now();
  const entry: Stripe.BalanceTransaction = {
    id: createId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn ?? now,
    balance_type: 'payments',
    created: now,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: FEE_WORDS[category] ?? 'Stripe fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: category,
    status: statusOf(availableOn ?? now, now),
    ...movement,
  };
  books.state.merchantEntries[entry.id] = entry;
  return entry;
}

const statusOf = (availableOn: number, now: number): 'available' | 'pending' => (availableOn <= now ? 'available' : 'pending');

/** The entry in its present state: pending entries become available as time passes. */
export const shownEntry = (books: Books, entry: Stripe.BalanceTransaction): Stripe.BalanceTransaction => ({
  ...entry,
  status: statusOf(entry.available_on, books.now()),
});

/** The available and the pending amount in each currency. */
export function balanceOf(books: Books): Stripe.Balance {
  const sums = { available: new Map<string, number>(), pending: new Map<string, number>() };
  for (const { available_on: availableOn, currency, net } of Object.values(books.state.merchantEntries)) {
    const sum = sums[statusOf(availableOn, books.now())];
    sum.set(currency, (sum.get(currency) ?? 0) + net);
  }
  const shown = (sum: Map<string, number>) => {
    const rows = [...sum].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }));
    return rows.length > 0 ? rows : [{ amount: 0, currency: 'usd', source_types: { card: 0 } }];
  };
  return { object: 'balance', available: shown(sums.available), livemode: false, pending: shown(sums.pending) };
}
