// Pays the available balance out to the merchant's bank, each day at midnight UTC. https://docs.stripe.com/payouts
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { noSuch } from './fault.ts';
import { createId } from './ids.ts';
import { moveBalance } from './merchant-balance.ts';
import { rowOf } from './state.ts';

const DAY = 86_400;
/** The merchant's bank account, as entered in the processor's dashboard. */
export const BANK_ACCOUNT = 'ba_1SandboxEgressMerchants';
/** How long it takes until the entries of a payout can be listed (`payout.reconciliation_completed`). */
const RECONCILED_SECONDS = 3_600;
/** "Some payouts that fail might initially show as paid" (the SDK's types, `Payout.status`). */
const FAILURE = {
  failure_code: 'account_closed',
  failure_message: 'The bank account has been closed.',
};

/** Pays out for every midnight since the last check, in order. */
export function payOutDue(books: Books): void {
  const { payoutSchedule: schedule } = books.state;
  const today = Math.floor(books.now() / DAY) * DAY;
  schedule.lookedAt ||= today;
  while (schedule.lookedAt < today) {
    schedule.lookedAt += DAY;
    books.within({ at: schedule.lookedAt, cause: null }, () => {
      movePayouts(books);
      if (!schedule.stopped) payOut(books);
    });
  }
  movePayouts(books);
}

/** Nothing is paid out while the balance is negative: later amounts make up for that first. */
function payOut(books: Books): void {
  const { merchantEntries, paidOutBy } = books.state;
  const now = books.now();
  const due = Object.values(merchantEntries).filter((entry) => entry.available_on <= now && !Object.hasOwn(paidOutBy, entry.id));
  for (const currency of new Set(due.map((entry) => entry.currency))) {
    const lines = due.filter((entry) => entry.currency === currency);
    const amount = lines.reduce((sum, { net }) => sum + net, 0);
    if (amount <= 0) continue;
    const payout = createPayout(books, amount, currency);
    for (const { id } of lines) paidOutBy[id] = payout.id;
    paidOutBy[String(payout.balance_transaction)] = payout.id;
  }
}

function createPayout(books: Books, amount: number, currency: string): Stripe.Payout {
  const id = createId('po');
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: books.now() + DAY,
    automatic: true,
    balance_transaction: null,
    created: books.now(),
    currency,
    description: 'STRIPE PAYOUT',
    destination: BANK_ACCOUNT,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'in_progress',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  };
  payout.balance_transaction = moveBalance(books, {
    type: 'payout',
    category: 'payout',
    amount: -amount,
    fee: 0,
    currency,
    source: id,
    description: 'STRIPE PAYOUT',
  }).id;
  books.state.payouts[id] = payout;
  books.emit('payout.created', payout);
  return payout;
}

/** Moves pending payouts on as time passes. */
function movePayouts(books: Books): void {
  const now = books.now();
  for (const payout of Object.values(books.state.payouts)) {
    if (payout.reconciliation_status === 'in_progress' && payout.created + RECONCILED_SECONDS <= now) {
      payout.reconciliation_status = 'completed';
      books.emit('payout.reconciliation_completed', payout);
    }
    if (payout.status !== 'in_transit' || payout.arrival_date > now) continue;
    payout.status = 'paid';
    books.emit('payout.paid', payout);
  }
}

/** The bank returns a payout, also one that was paid: the money is in the balance again, and no payout follows until the merchant enters another account. */
export function failPayout(books: Books, payout: Stripe.Payout): void {
  if (payout.status !== 'in_transit' && payout.status !== 'paid') throw new Error(`payout ${payout.id} is ${payout.status}`);
  const { id } = moveBalance(books, {
    type: 'payout_failure',
    category: 'payout_reversal',
    amount: payout.amount,
    fee: 0,
    currency: payout.currency,
    source: payout.id,
    description: 'PAYOUT FAILURE',
  });
  Object.assign(payout, FAILURE, { status: 'failed', failure_balance_transaction: id });
  books.state.payoutSchedule.stopped = true;
  books.emit('payout.failed', payout);
}

export function findPayout(books: Books, id: string, param?: string): Stripe.Payout {
  const payout = rowOf(books.state.payouts, id);
  if (!payout) throw noSuch('payout', id, param);
  return payout;
}
