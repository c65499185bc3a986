// Read access to the merchant's balance, its entries and its payouts. https://docs.stripe.com/api/balance_transactions
import type Stripe from 'stripe';
import { noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { balanceOf, shownEntry } from '../merchant-balance.ts';
import { BANK_ACCOUNT, findPayout } from '../payout.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, oneOf, range, text } from '../shape.ts';
import { rowOf } from '../state.ts';

/** The types that the sandbox has; the processor has more. Any other value is refused. */
const TYPES = [
  ...(['adjustment', 'charge', 'payment', 'payment_refund', 'payout'] as const),
  ...(['payout_failure', 'refund', 'refund_failure', 'stripe_fee'] as const),
];

const entryListInput = fieldsOf<Stripe.BalanceTransactionListParams>()({
  ...datedPageFields,
  currency,
  payout: text(),
  source: text(),
  type: oneOf(...TYPES),
});
const payoutListInput = fieldsOf<Stripe.PayoutListParams>()({
  ...datedPageFields,
  arrival_date: range,
  destination: text(),
  status: oneOf('pending', 'in_transit', 'paid', 'failed', 'canceled'),
});

export const payoutRoutes = [
  route('GET', '/v1/balance', fields({}), ({ books }) => balanceOf(books)),
  route('GET', '/v1/balance_transactions', entryListInput, ({ books, input }) => {
    const { merchantEntries, paidOutBy } = books.state;
    // The entries of a payout can be listed only when it is reconciled.
    const payout = input.payout === undefined ? undefined : findPayout(books, input.payout, 'payout');
    const found = Object.values(merchantEntries).filter(
      (entry) =>
        (input.currency === undefined || entry.currency === input.currency) &&
        (input.source === undefined || entry.source === input.source) &&
        (input.type === undefined || entry.type === input.type) &&
        (!payout || (payout.reconciliation_status === 'completed' && paidOutBy[entry.id] === payout.id)) &&
        (input.created?.(entry.created) ?? true),
    );
    const oldestFirst = found.toSorted((one, other) => one.created - other.created).map((entry) => shownEntry(books, entry));
    return pageOf('/v1/balance_transactions', oldestFirst, input);
  }),
  route('GET', '/v1/balance_transactions/:id', fields({}), ({ books, ids }) => {
    const entry = rowOf(books.state.merchantEntries, ids['id'] ?? '');
    if (!entry) throw noSuch('balance transaction', ids['id'] ?? '');
    return shownEntry(books, entry);
  }),
  route('GET', '/v1/payouts', payoutListInput, ({ books, input }) => {
    const found = Object.values(books.state.payouts).filter(
      (payout) =>
        (input.status === undefined || payout.status === input.status) &&
        (input.destination === undefined || input.destination === BANK_ACCOUNT) &&
        (input.arrival_date?.(payout.arrival_date) ?? true) &&
        (input.created?.(payout.created) ?? true),
    );
    return pageOf('/v1/payouts', found, input);
  }),
  route('GET', '/v1/payouts/:id', fields({}), ({ books, ids }) => findPayout(books, ids['id'] ?? '')),
];
