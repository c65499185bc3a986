// Changes the items of a subscription: what that costs now, and when it takes effect. The preview calls the same function, so that it shows what is charged.
import type Stripe from 'stripe';
import { foresee } from '../attempt.ts';
import type { Books } from '../books.ts';
import { cardRefused, invalid } from '../fault.ts';
import { createId } from '../ids.ts';
import { mergeMetadata } from '../metadata.ts';
import { NEEDS_AUTHENTICATION } from '../test-cards.ts';
import { collect, methodFor } from './collect.ts';
import { finalize } from './finalize.ts';
import { composeInvoice, createInvoice, customerOf, pendingLines } from './invoice.ts';
import type { InvoiceRequest } from './invoice.ts';
import { createItem, readItemPrice } from './item.ts';
import type { changedItemInput } from './item.ts';
import { createInvoiceItem, draftOfItem, periodLine, prorationLine } from './lines.ts';
import type { LineDraft } from './lines.ts';
import { keepPendingUpdate } from './pending-update.ts';
import { periodFrom, rhythmOf, sameRhythm } from './period.ts';
import { periodOf } from './subscription.ts';
import type { PaymentBehavior, ProrationBehavior } from './subscription.ts';

export interface ChangeRequest {
  items: ReturnType<typeof changedItemInput>[];
  prorationBehavior: ProrationBehavior;
  /** Unix seconds; default: now. */
  prorationDate: number | null;
  resetAnchor: boolean;
}

export interface Change {
  items: Stripe.SubscriptionItem[];
  anchor: number;
  /** Credits and charges for the rest of the present period. */
  prorations: LineDraft[];
  /** The lines of a whole new period, when the change begins one. */
  fresh: LineDraft[];
}

/** What a change of items would cost; changes nothing. */
export function planChange(books: Books, subscription: Stripe.Subscription, request: ChangeRequest): Change {
  const before = subscription.items.data;
  const period = periodOf(subscription);
  const at = request.prorationDate ?? books.now();
  if (at < period.start || at > period.end) {
    throw invalid('The `proration_date` must be within the current billing period of the subscription.', undefined, 'proration_date');
  }
  const wanted = wantedItems(books, subscription, request.items);
  const rhythm = rhythmOf((wanted[0] as Stripe.SubscriptionItem).price);
  if (wanted.some(({ price }) => !sameRhythm(rhythmOf(price), rhythm))) {
    throw invalid(
      'All prices of a subscription must have the same `recurring[interval]` and `recurring[interval_count]`.',
      undefined,
      'items',
    );
  }
  const fresh = request.resetAnchor || before.some(({ price }) => !sameRhythm(rhythmOf(price), rhythm));
  const anchor = fresh ? books.now() : subscription.billing_cycle_anchor;
  const next = fresh ? periodFrom(anchor, anchor, rhythm) : period;
  const items = wanted.map((item) => ({ ...item, current_period_start: next.start, current_period_end: next.end }));

  const line = (item: Stripe.SubscriptionItem, kind: 'credit' | 'charge'): LineDraft =>
    prorationLine(books, item, subscription.id, period, at, kind);
  const changed = (item: Stripe.SubscriptionItem): boolean => {
    const other = before.find(({ id }) => id === item.id);
    return other === undefined || other.price.id !== item.price.id || other.quantity !== item.quantity;
  };
  const credits = before.filter((item) => {
    const after = items.find(({ id }) => id === item.id);
    return fresh || after === undefined || changed(after);
  });
  const order = [...new Set([...before, ...items].map(({ id }) => id))];
  const prorations =
    request.prorationBehavior === 'none'
      ? []
      : order.flatMap((id) => [
          ...credits.filter((item) => item.id === id).map((item) => line(item, 'credit')),
          ...(fresh ? [] : items.filter((item) => item.id === id && changed(item)).map((item) => line(item, 'charge'))),
        ]);
  return { items, anchor, prorations, fresh: fresh ? items.map((item) => periodLine(books, item, subscription.id, next)) : [] };
}

/** The invoice that a change needs at once, or null when its lines wait for the next invoice. */
export function invoiceOfChange(books: Books, subscription: Stripe.Subscription, change: Change, always: boolean): InvoiceRequest | null {
  if (change.fresh.length === 0 && !(always && change.prorations.length > 0)) return null;
  const customer = customerOf(books, subscription);
  return {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: [...change.prorations, ...change.fresh, ...pendingLines(books, customer.id, subscription.id, subscription.currency)],
    currency: subscription.currency,
    period: { start: periodOf(subscription).start, end: books.now() },
    autoAdvance: true,
  };
}

/** Changes the items and charges what the change costs now. */
export function changeItems(
  books: Books,
  subscription: Stripe.Subscription,
  request: ChangeRequest,
  { paymentBehavior, offSession }: { paymentBehavior: PaymentBehavior; offSession: boolean },
): void {
  const change = planChange(books, subscription, request);
  const customer = customerOf(books, subscription);
  const wanted = invoiceOfChange(books, subscription, change, request.prorationBehavior === 'always_invoice');
  const dry = wanted && composeInvoice(books, wanted);
  const method = dry ? methodFor(books, dry) : undefined;
  const automatic = subscription.collection_method === 'charge_automatically';
  if (paymentBehavior === 'error_if_incomplete' && dry && dry.amount_due > 0 && automatic) {
    const refusal = method ? foresee(books, method, { offSession }) : NEEDS_AUTHENTICATION;
    if (refusal) throw cardRefused(refusal === 'requires_action' ? NEEDS_AUTHENTICATION : refusal);
  }
  const waits = paymentBehavior === 'pending_if_incomplete' && dry !== null && dry.amount_due > 0 && automatic;
  const apply = (): void => {
    subscription.items.data = change.items;
    if (change.anchor !== subscription.billing_cycle_anchor) subscription.billing_cycle_anchor_config = null;
    subscription.billing_cycle_anchor = change.anchor;
  };
  if (waits) keepPendingUpdate(books, subscription, change);
  else books.change('customer.subscription.updated', subscription, apply);

  const prorations = change.prorations.map((draft) => draftOfItem(books, createInvoiceItem(books, draft, customer.id, null)));
  if (!wanted) return;
  const rest = wanted.lines.slice(change.prorations.length);
  const invoice = createInvoice(books, { ...wanted, lines: [...prorations, ...rest], autoAdvance: true });
  if (!automatic) return;
  finalize(books, invoice);
  if (invoice.status === 'open' && paymentBehavior !== 'default_incomplete') {
    collect(books, invoice, method, { offSession, email: customer.email });
  }
}

function wantedItems(books: Books, subscription: Stripe.Subscription, inputs: ChangeRequest['items']): Stripe.SubscriptionItem[] {
  const items = structuredClone(subscription.items.data);
  for (const [index, input] of inputs.entries()) {
    const param = `items[${index}]`;
    const at = items.findIndex(({ id }) => id === input.id);
    const item = items[at];
    if (input.id !== undefined && !item) {
      throw invalid(`No such subscription item: '${input.id}'`, 'resource_missing', `${param}[id]`);
    }
    if (!item) {
      const choice = {
        price: readItemPrice(books, input, param),
        quantity: input.quantity ?? 1,
        metadata: mergeMetadata({}, input.metadata ?? {}),
      };
      items.push(createItem(books, subscription.id, choice, periodOf(subscription), createId('si')));
    } else if (input.deleted) {
      items.splice(at, 1);
    } else {
      const named = input.price !== undefined || input.price_data !== undefined;
      const choice = {
        price: named ? readItemPrice(books, input, param) : item.price,
        quantity: input.quantity ?? item.quantity ?? 1,
        metadata: mergeMetadata(item.metadata, input.metadata ?? {}),
      };
      items[at] = { ...createItem(books, subscription.id, choice, periodOf(subscription), item.id), created: item.created };
    }
  }
  if (items.length === 0) throw invalid('A subscription must have at least one active item. Cancel it instead.', undefined, 'items');
  return items;
}
