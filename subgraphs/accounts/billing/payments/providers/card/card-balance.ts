// The movements of our balance at the card processor, and its payouts: https://docs.stripe.com/reports/balance-transaction-types,
// https://docs.stripe.com/payouts/reconciliation
import type Stripe from 'stripe';
import { DAY, HOUR } from '#platform/clock.ts';
import type { MovementKind, PayoutStatus } from '../../domain/balance-movement.ts';
import type { BalanceMovement, Page, PayoutState, ProcessorBalance } from '../processor-balance.ts';
import { idOf, toSeconds } from './card-client.ts';

/** The most entries that the processor puts on a page. */
const PAGE_SIZE = 100;

export const createCardBalance = (stripe: Stripe): ProcessorBalance => ({
  // The processor lists movements at once; the hour is for clocks that differ.
  lateMs: HOUR,

  async movements({ from, until, after }) {
    const created = { gte: toSeconds(from), lt: toSeconds(until) };
    const page = { created, limit: PAGE_SIZE, expand: ['data.source'], ...(after !== undefined && { starting_after: after }) };
    return toPage(await stripe.balanceTransactions.list(page), toMovement);
  },

  async payouts(ids, since) {
    const left = new Set(ids);
    const states = new Map<string, PayoutState>();
    // A payout is created before it moves the balance.
    for await (const payout of stripe.payouts.list({ created: { gte: toSeconds(since) - DAY / 1_000 }, limit: PAGE_SIZE })) {
      if (left.delete(payout.id)) states.set(payout.id, toPayoutState(payout));
      if (left.size === 0) break;
    }
    return states;
  },

  async linesOf(payoutId, after) {
    const page = { payout: payoutId, limit: PAGE_SIZE, ...(after !== undefined && { starting_after: after }) };
    return toPage(await stripe.balanceTransactions.list(page), ({ id }) => id);
  },

  async held() {
    const { available, pending } = await stripe.balance.retrieve();
    const held: Record<string, number> = {};
    for (const { currency, amount } of [...available, ...pending])
      held[currency.toUpperCase()] = (held[currency.toUpperCase()] ?? 0) + amount;
    return held;
  },
});

const toPayoutState = (payout: Stripe.Payout): PayoutState => ({
  status: PAYOUTS[payout.status] ?? 'IN_TRANSIT',
  failure: payout.failure_message ?? payout.failure_code ?? undefined,
  arrivesAt: toDate(payout.arrival_date),
  lines: LINES[payout.reconciliation_status] ?? 'WAITING',
});

const toPage = <Item>(
  { data, has_more: more }: Stripe.ApiList<Stripe.BalanceTransaction>,
  toItem: (entry: Stripe.BalanceTransaction) => Item,
): Page<Item> => ({ items: data.map(toItem), next: more ? data.at(-1)?.id : undefined });

const toDate = (seconds: number): Date => new Date(seconds * 1_000);

const PAYOUTS: Readonly<Record<string, PayoutStatus>> = { paid: 'PAID', failed: 'FAILED', canceled: 'FAILED' };
/** The processor's reconciliation status of a payout -> ours. `not_applicable`: the payout was requested by hand. */
const LINES: Readonly<Record<string, PayoutState['lines']>> = { completed: 'KNOWN', not_applicable: 'UNKNOWN' };

/** `reporting_category`, which the processor made for bookkeeping, -> our kind: https://docs.stripe.com/reports/reporting-categories */
const KINDS: Readonly<Record<string, MovementKind>> = {
  charge: 'PAYMENT',
  refund: 'REFUND',
  refund_failure: 'REFUND_RETURNED',
  dispute: 'DISPUTE',
  dispute_reversal: 'DISPUTE_RETURNED',
  fee: 'FEE',
  network_cost: 'FEE',
  tax: 'FEE',
  payout: 'PAYOUT',
  payout_reversal: 'PAYOUT_RETURNED',
};

function toMovement(entry: Stripe.BalanceTransaction): BalanceMovement {
  const kind = KINDS[entry.reporting_category] ?? 'OTHER';
  const { source } = entry;
  // The processor puts a fee of its own into the amount, and no fee beside it.
  const money = kind === 'FEE' ? { amountMinor: 0, feeMinor: -entry.net } : { amountMinor: entry.amount, feeMinor: entry.fee };
  return {
    id: entry.id,
    kind,
    subjectId: idOf(source),
    paymentId: source !== null && typeof source === 'object' && 'payment_intent' in source ? idOf(source.payment_intent) : undefined,
    ...money,
    currency: entry.currency.toUpperCase(),
    words: entry.description ?? '',
    movedAt: toDate(entry.created),
    availableAt: toDate(entry.available_on),
  };
}
