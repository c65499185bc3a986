// Subscriptions: their form, and their creation.
import type Stripe from 'stripe';
import { foresee } from '../attempt.ts';
import type { Books } from '../books.ts';
import { cardRefused, invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { rowOf } from '../state.ts';
import { NEEDS_AUTHENTICATION } from '../test-cards.ts';
import { collect, methodFor, noMethod } from './collect.ts';
import { finalize } from './finalize.ts';
import { createInvoice, composeInvoice, pendingLines } from './invoice.ts';
import type { InvoiceRequest } from './invoice.ts';
import { createItem } from './item.ts';
import type { ItemChoice } from './item.ts';
import { periodLine, prorationLine } from './lines.ts';
import type { LineDraft } from './lines.ts';
import { anchorOf, nextAnchor, periodBefore, periodFrom, rhythmOf, sameRhythm } from './period.ts';
import { intentOf } from './settle.ts';

export type PaymentBehavior = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete';
export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none';

export interface SubscriptionRequest {
  customer: Stripe.Customer;
  items: ItemChoice[];
  /** Lines that are only on the first invoice. */
  extra: LineDraft[];
  anchor: number | null;
  anchorConfig?: Stripe.SubscriptionCreateParams.BillingCycleAnchorConfig;
  prorationBehavior: ProrationBehavior;
  paymentBehavior: PaymentBehavior;
  collectionMethod: 'charge_automatically' | 'send_invoice';
  daysUntilDue: number | null;
  defaultPaymentMethod: string | null;
  description: string | null;
  metadata: Record<string, string>;
  cancelAt: number | null;
  cancelAtPeriodEnd: boolean;
  offSession: boolean;
  saveMethod: 'on_subscription' | 'off';
  taxRates: Stripe.TaxRate[];
  /** The customer has just authenticated, on the checkout page. */
  authenticated?: boolean;
}

/** Makes a subscription and its first invoice without storing them; a preview needs no more. */
export function composeSubscription(
  books: Books,
  request: SubscriptionRequest,
): { subscription: Stripe.Subscription; first: InvoiceRequest } {
  const now = books.now();
  const [leading] = request.items;
  if (!leading) throw invalid('A subscription has 1 to 20 items.', 'parameter_missing', 'items');
  const rhythm = rhythmOf(leading.price);
  if (request.items.some(({ price }) => !sameRhythm(rhythmOf(price), rhythm))) {
    throw invalid(
      'All prices of a subscription must have the same `recurring[interval]` and `recurring[interval_count]`.',
      undefined,
      'items',
    );
  }
  if (request.items.some(({ price }) => price.currency !== leading.price.currency)) {
    throw invalid('All prices of a subscription must be in the same currency.', undefined, 'items');
  }
  const config = request.anchorConfig;
  if (config && rhythm.interval !== 'month' && rhythm.interval !== 'year') {
    throw invalid(
      '`billing_cycle_anchor_config` is only valid with monthly and yearly price intervals.',
      undefined,
      'billing_cycle_anchor_config',
    );
  }
  const anchor = config ? nextAnchor(now, config) : (request.anchor ?? now);
  const id = createId('sub');
  const subscription = shape(books, request, id, anchor, leading.price.currency);
  const period = periodFrom(now, anchorOf(subscription), rhythm);
  subscription.items.data = request.items.map((choice) => createItem(books, id, choice, period));
  if (request.cancelAtPeriodEnd) subscription.cancel_at = period.end;

  const stub = anchor > now;
  // The natural billing date is computed from now: on 28 February it is 28 March, also when the 31st is wanted.
  if (stub && (period.end !== anchor || anchor > periodFrom(now, now, rhythm).end)) {
    throw invalid('`billing_cycle_anchor` cannot be later than the next natural billing date.', undefined, 'billing_cycle_anchor');
  }
  const lines = subscription.items.data.flatMap((item) => {
    if (!stub) return [periodLine(books, item, id, period)];
    if (request.prorationBehavior === 'none') return [];
    return [prorationLine(books, item, id, periodBefore(anchorOf(subscription), rhythm), now, 'charge')];
  });
  return {
    subscription,
    first: {
      customer: request.customer,
      subscription,
      reason: 'subscription_create',
      lines: [...lines, ...request.extra, ...pendingLines(books, request.customer.id, id, subscription.currency)],
      currency: subscription.currency,
      period: { start: now, end: now },
      autoAdvance: true,
      finalizesAt: null,
    },
  };
}

/** Creates a subscription. With `error_if_incomplete` it throws the bank's refusal, and then nothing has changed. */
export function createSubscription(books: Books, request: SubscriptionRequest): Stripe.Subscription {
  const { subscription, first } = composeSubscription(books, request);
  const { customer, paymentBehavior, offSession, authenticated = false } = request;
  const automatic = request.collectionMethod === 'charge_automatically';
  const dry = composeInvoice(books, first);
  const method = methodFor(books, { ...dry, default_payment_method: request.defaultPaymentMethod });
  if (automatic && dry.amount_due > 0 && paymentBehavior !== 'default_incomplete') {
    if (!method) throw noMethod();
    const refusal = foresee(books, method, { offSession, authenticated });
    if (refusal && paymentBehavior === 'error_if_incomplete') {
      throw cardRefused(refusal === 'requires_action' ? NEEDS_AUTHENTICATION : refusal, { payment_method: structuredClone(method) });
    }
  }
  customer.currency ??= subscription.currency;
  subscription.status = automatic && dry.amount_due > 0 ? 'incomplete' : 'active';
  books.state.subscriptions[subscription.id] = subscription;
  books.emit('customer.subscription.created', subscription);
  const invoice = createInvoice(books, first);
  if (!automatic) return subscription;
  finalize(books, invoice);
  if (invoice.status === 'open' && paymentBehavior !== 'default_incomplete') {
    collect(books, invoice, method, { offSession, authenticated, email: customer.email });
  } else if (method) {
    const intent = intentOf(books, invoice);
    if (intent?.status === 'requires_payment_method') Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' });
  }
  return subscription;
}

export function findSubscription(books: Books, id: string, param?: string): Stripe.Subscription {
  const subscription = rowOf(books.state.subscriptions, id);
  if (!subscription) throw noSuch('subscription', id, param);
  return subscription;
}

/** Whether it still runs: it renews, or would renew if it were paid. */
export const isLive = ({ status }: Stripe.Subscription): boolean => status !== 'canceled' && status !== 'incomplete_expired';

export const periodOf = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const [item] = subscription.items.data;
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
};

function shape(books: Books, request: SubscriptionRequest, id: string, anchor: number, currency: string): Stripe.Subscription {
  const now = books.now();
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_cycle_anchor_config: request.anchorConfig
      ? { hour: null, minute: null, month: null, second: null, ...request.anchorConfig }
      : null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: request.cancelAt,
    cancel_at_period_end: request.cancelAtPeriodEnd,
    canceled_at: request.cancelAt !== null || request.cancelAtPeriodEnd ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: request.collectionMethod,
    created: now,
    currency,
    customer: request.customer.id,
    customer_account: null,
    days_until_due: request.daysUntilDue,
    default_payment_method: request.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: request.taxRates,
    description: request.description,
    discounts: [],
    ended_at: null,
    invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
    items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: request.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: request.saveMethod },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: request.customer.test_clock ?? null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  };
}
