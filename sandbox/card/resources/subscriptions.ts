// Subscriptions: create, retrieve, update, cancel, list. There are no automatic retries: the shop retries failed payments.
import type Stripe from 'stripe';
import { changeItems } from '../billing/change.ts';
import { endNow, planEnd } from '../billing/cancel.ts';
import { changedItemInput, newItemInput, readNewItem } from '../billing/item.ts';
import type { LineDraft } from '../billing/lines.ts';
import { findTaxRates } from '../billing/tax.ts';
import { createSubscription, findSubscription, isLive, periodOf } from '../billing/subscription.ts';
import type { SubscriptionRequest } from '../billing/subscription.ts';
import type { Books } from '../books.ts';
import { invalid } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { route } from '../route.ts';
import { emptyable, fields, fieldsOf, flag, integer, list, metadata, moment, needed, off, oneOf, range, text } from '../shape.ts';
import { findCustomer, mustOwn } from '../customer.ts';
import { newLineInput, readNewLine } from './invoice-items.ts';

const prorationBehavior = oneOf('always_invoice', 'create_prorations', 'none');
const paymentBehavior = oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete');
const common = {
  automatic_tax: fields({ enabled: off }),
  cancel_at_period_end: flag,
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  days_until_due: integer(0, 365),
  default_payment_method: text(),
  default_tax_rates: emptyable(list(text())),
  metadata,
  off_session: flag,
  payment_behavior: paymentBehavior,
  payment_settings: fieldsOf<Stripe.SubscriptionCreateParams.PaymentSettings>()({
    payment_method_types: list(oneOf('card')),
    save_default_payment_method: oneOf('off', 'on_subscription'),
  }),
  proration_behavior: prorationBehavior,
};
const createInput = fieldsOf<Stripe.SubscriptionCreateParams>()({
  ...common,
  customer: needed(text()),
  items: needed(list(newItemInput)),
  add_invoice_items: list(newLineInput),
  billing_cycle_anchor: moment,
  billing_cycle_anchor_config: fieldsOf<Stripe.SubscriptionCreateParams.BillingCycleAnchorConfig>()({
    day_of_month: needed(integer(1, 31)),
    hour: integer(0, 23),
    minute: integer(0, 59),
    month: integer(1, 12),
    second: integer(0, 59),
  }),
  cancel_at: moment,
  currency: text(3),
  description: text(500),
});
const updateInput = fieldsOf<Stripe.SubscriptionUpdateParams>()({
  ...common,
  items: list(changedItemInput),
  billing_cycle_anchor: fieldsOf<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>()({ type: needed(oneOf('now', 'unchanged')) }),
  cancel_at: emptyable(moment),
  cancellation_details: fieldsOf<Stripe.SubscriptionUpdateParams.CancellationDetails>()({ comment: text(), feedback: text() }),
  description: text(500, 'unset'),
  pause_collection: emptyable(fieldsOf<Stripe.SubscriptionUpdateParams.PauseCollection>()({ behavior: needed(oneOf('keep_as_draft')) })),
  proration_date: moment,
});
const cancelInput = fieldsOf<Stripe.SubscriptionCancelParams>()({
  cancellation_details: fieldsOf<Stripe.SubscriptionCancelParams.CancellationDetails>()({ comment: text(), feedback: text() }),
  invoice_now: flag,
  prorate: flag,
});
const listInput = fieldsOf<Stripe.SubscriptionListParams>()({
  ...datedPageFields,
  customer: text(),
  price: text(),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  current_period_end: range,
  current_period_start: range,
  status: oneOf('active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused', 'trialing'),
  test_clock: text(),
});

export const subscriptionRoutes = [
  route('POST', '/v1/subscriptions', createInput, ({ books, input }) => createSubscription(books, readRequest(books, input))),
  route('GET', '/v1/subscriptions', listInput, ({ books, input }) => {
    const found = Object.values(books.state.subscriptions).filter(
      (one) =>
        (input.customer === undefined || one.customer === input.customer) &&
        (input.price === undefined || one.items.data.some(({ price }) => price.id === input.price)) &&
        (input.collection_method === undefined || one.collection_method === input.collection_method) &&
        (input.test_clock === undefined ? one.test_clock === null || input.customer !== undefined : one.test_clock === input.test_clock) &&
        hasStatus(one, input.status) &&
        (input.current_period_end?.(periodOf(one).end) ?? true) &&
        (input.current_period_start?.(periodOf(one).start) ?? true) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/subscriptions', found, input);
  }),
  route('GET', '/v1/subscriptions/:id', fields({}), ({ books, ids }) => findSubscription(books, ids['id'] ?? '')),
  route('POST', '/v1/subscriptions/:id', updateInput, ({ books, ids, input }) => update(books, findLive(books, ids['id'] ?? ''), input)),
  route('DELETE', '/v1/subscriptions/:id', cancelInput, ({ books, ids, input }) => {
    const subscription = findLive(books, ids['id'] ?? '');
    endNow(books, subscription, { prorate: input.prorate ?? false, invoiceNow: input.invoice_now ?? false });
    return subscription;
  }),
];

/** Without a status the processor leaves out canceled subscriptions. */
function hasStatus(subscription: Stripe.Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  if (wanted === undefined) return subscription.status !== 'canceled';
  if (wanted === 'ended') return !isLive(subscription);
  return subscription.status === wanted;
}

function findLive(books: Books, id: string): Stripe.Subscription {
  const subscription = findSubscription(books, id);
  if (isLive(subscription)) return subscription;
  throw invalid(`A canceled subscription can only update its cancellation_details and metadata (${id}).`, 'resource_missing', 'id');
}

function readRequest(books: Books, input: ReturnType<typeof createInput>): SubscriptionRequest {
  const customer = findCustomer(books, input.customer, 'customer');
  if (input.items.length === 0 || input.items.length > 20) throw invalid('A subscription has 1 to 20 items.', undefined, 'items');
  const now = books.now();
  if (input.billing_cycle_anchor !== undefined && input.billing_cycle_anchor < now) {
    throw invalid('Invalid timestamp: must be in the future.', undefined, 'billing_cycle_anchor');
  }
  if (input.billing_cycle_anchor !== undefined && input.billing_cycle_anchor_config) {
    throw invalid(
      'You may only specify one of these parameters: billing_cycle_anchor, billing_cycle_anchor_config.',
      undefined,
      'billing_cycle_anchor_config',
    );
  }
  const items = input.items.map((item, index) => readNewItem(books, item, `items[${index}]`));
  const extra = (input.add_invoice_items ?? []).map((line, index) => readNewLine(books, line, `add_invoice_items[${index}]`));
  const sending = input.collection_method === 'send_invoice';
  if (sending !== (input.days_until_due !== undefined)) {
    throw invalid('`days_until_due` is needed with, and only with, `collection_method=send_invoice`.', undefined, 'days_until_due');
  }
  const method = input.default_payment_method;
  return {
    customer,
    items,
    extra: extra satisfies LineDraft[],
    anchor: input.billing_cycle_anchor ?? null,
    ...(input.billing_cycle_anchor_config && { anchorConfig: input.billing_cycle_anchor_config }),
    prorationBehavior: input.proration_behavior ?? 'create_prorations',
    paymentBehavior: input.payment_behavior ?? 'allow_incomplete',
    collectionMethod: input.collection_method ?? 'charge_automatically',
    daysUntilDue: input.days_until_due ?? null,
    defaultPaymentMethod: method === undefined ? null : mustOwn(books, customer, method, 'default_payment_method').id,
    description: input.description ?? null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    cancelAt: input.cancel_at ?? null,
    cancelAtPeriodEnd: input.cancel_at_period_end ?? false,
    offSession: input.off_session ?? false,
    saveMethod: input.payment_settings?.save_default_payment_method ?? 'off',
    taxRates: findTaxRates(books, input.default_tax_rates ?? [], 'default_tax_rates'),
  };
}

function update(books: Books, subscription: Stripe.Subscription, input: ReturnType<typeof updateInput>): Stripe.Subscription {
  const customer = findCustomer(books, String(subscription.customer));
  const method = input.default_payment_method;
  if (method !== undefined) mustOwn(books, customer, method, 'default_payment_method');
  const rates = input.default_tax_rates === undefined ? undefined : findTaxRates(books, input.default_tax_rates ?? [], 'default_tax_rates');
  // Set first, so that a change of items in the same request is taxed with the new rates.
  if (rates) subscription.default_tax_rates = rates;
  const resetAnchor = input.billing_cycle_anchor?.type === 'now';
  if (input.items || resetAnchor) {
    if (subscription.pending_update)
      throw invalid('This subscription has a pending update: pay or void its invoice first.', undefined, 'items');
    const request = {
      items: input.items ?? [],
      prorationBehavior: input.proration_behavior ?? 'create_prorations',
      prorationDate: input.proration_date ?? null,
      resetAnchor,
    };
    const behavior = input.payment_behavior ?? 'allow_incomplete';
    changeItems(books, subscription, request, { paymentBehavior: behavior, offSession: input.off_session ?? false });
  }
  books.change('customer.subscription.updated', subscription, () => {
    if (method !== undefined) subscription.default_payment_method = method;
    if (input.collection_method !== undefined) subscription.collection_method = input.collection_method;
    if (input.days_until_due !== undefined) subscription.days_until_due = input.days_until_due;
    if (input.description !== undefined) subscription.description = input.description || null;
    if (input.metadata !== undefined) subscription.metadata = mergeMetadata(subscription.metadata, input.metadata);
    if (input.cancel_at !== undefined) planEnd(books, subscription, input.cancel_at);
    else if (input.cancel_at_period_end !== undefined && input.cancel_at_period_end !== subscription.cancel_at_period_end) {
      planEnd(books, subscription, input.cancel_at_period_end ? 'period_end' : null);
    }
    if (input.pause_collection !== undefined)
      subscription.pause_collection = input.pause_collection && { ...input.pause_collection, resumes_at: null };
    const save = input.payment_settings?.save_default_payment_method;
    if (save && subscription.payment_settings) subscription.payment_settings.save_default_payment_method = save;
  });
  return subscription;
}
