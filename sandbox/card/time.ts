// What happens as time passes, each at its own time: renewals, ends, drafts that become final, expiries. A customer with a test clock uses that clock.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { settleDueDebits } from './delayed.ts';
import { endUnanswered } from './dispute.ts';
import { payOutDue } from './payout.ts';
import { settleDueRefunds } from './refund.ts';
import { expireDueSessions } from './session.ts';
import { expireIncomplete } from './billing/cancel.ts';
import { collect, methodFor } from './billing/collect.ts';
import { finalize } from './billing/finalize.ts';
import { dropPendingUpdate } from './billing/pending-update.ts';
import { announce, renew } from './billing/renew.ts';
import { voidInvoice } from './billing/settle.ts';
import { isLive, periodOf } from './billing/subscription.ts';

interface Due {
  at: number;
  run(): void;
}

const INCOMPLETE_SECONDS = 23 * 60 * 60;
/** How long before a renewal it is announced. */
const NOTICE_SECONDS = 7 * 86_400;

/** The last time that was processed, so that a clock that stands still costs nothing. */
const seen = new WeakMap<Books, number>();

/** Processes everything that is due by now. */
export function passTime(books: Books): void {
  const now = books.now();
  if (seen.get(books) === now) return;
  seen.set(books, now);
  expireDueSessions(books);
  endUnanswered(books);
  settleDueRefunds(books);
  settleDueDebits(books);
  const { subscriptions, invoices, customers } = books.state;
  const due = new Set<string>();
  const note = (customer: unknown, steps: Due[]): void => {
    if (steps.some(({ at }) => at <= now)) due.add(String(customer));
  };
  for (const subscription of Object.values(subscriptions)) note(subscription.customer, stepsOf(books, subscription));
  for (const invoice of Object.values(invoices)) note(invoice.customer, finalStep(books, invoice));
  for (const id of due) if (customers[id]?.test_clock === null) passTimeOf(books, id, now);
  // Last, so that charges made above are paid out on their own day.
  payOutDue(books);
}

/** The same for one customer, up to `until`; each step may make another one due. */
export function passTimeOf(books: Books, customer: string, until: number): void {
  const subscriptions = Object.values(books.state.subscriptions).filter((one) => one.customer === customer);
  for (;;) {
    const invoices = Object.values(books.state.invoices).filter((one) => one.customer === customer && one.status === 'draft');
    const next = [...subscriptions.flatMap((one) => stepsOf(books, one)), ...invoices.flatMap((one) => finalStep(books, one))]
      .filter(({ at }) => at <= until)
      .reduce<Due | null>((first, due) => (first === null || due.at < first.at ? due : first), null);
    if (next === null) return;
    books.within({ at: next.at, cause: null }, next.run);
  }
}

function stepsOf(books: Books, subscription: Stripe.Subscription): Due[] {
  if (!isLive(subscription)) return [];
  if (subscription.status === 'incomplete') {
    return [{ at: subscription.created + INCOMPLETE_SECONDS, run: () => expireIncomplete(books, subscription) }];
  }
  const { end } = periodOf(subscription);
  const steps: Due[] = [{ at: Math.min(end, subscription.cancel_at ?? end), run: () => renew(books, subscription) }];
  if (books.state.announced[subscription.id] !== end && subscription.cancel_at === null) {
    steps.push({ at: Math.max(end - NOTICE_SECONDS, periodOf(subscription).start), run: () => announce(books, subscription) });
  }
  const update = subscription.pending_update;
  if (update) {
    steps.push({
      at: update.expires_at,
      run: () => {
        const invoice = books.state.invoices[String(subscription.latest_invoice)];
        if (invoice?.status === 'open') voidInvoice(books, invoice);
        else dropPendingUpdate(books, subscription);
      },
    });
  }
  return steps;
}

function finalStep(books: Books, invoice: Stripe.Invoice): Due[] {
  if (invoice.status !== 'draft' || !invoice.auto_advance || invoice.automatically_finalizes_at === null) return [];
  return [
    {
      at: invoice.automatically_finalizes_at,
      run() {
        finalize(books, invoice);
        if (invoice.status !== 'open') return;
        if (invoice.collection_method === 'send_invoice') books.emit('invoice.sent', invoice);
        else collect(books, invoice, methodFor(books, invoice), { offSession: true, email: invoice.customer_email });
      },
    },
  ];
}
