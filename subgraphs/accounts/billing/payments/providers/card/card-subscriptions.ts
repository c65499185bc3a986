// Subscriptions at the card processor: each of ours has one there with the same terms, which makes the processor's invoice of each period.
import Stripe from 'stripe';
import { createHash } from 'node:crypto';
import type { OfferLine } from '#commerce/offers.ts';
import type { RecurringCharges, WantedSubscription } from '../recurring-charges.ts';
import { type CardCharges, createCardCharges } from './card-charges.ts';
import { idOf, toSeconds } from './card-client.ts';

export function createCardSubscriptions(stripe: Stripe): RecurringCharges {
  const charges = createCardCharges(stripe);
  return { ...charges, upsert: (wanted) => upsert(stripe, charges, wanted), end: (processorId) => end(stripe, processorId) };
}

async function upsert(stripe: Stripe, { giveUp }: CardCharges, wanted: WantedSubscription): Promise<string | null> {
  let known = wanted.processorId ? await stripe.subscriptions.retrieve(wanted.processorId) : await find(stripe, wanted);
  if (known && !isOver(known) && wanted.isSettled && !countsFrom(known, wanted.anchorAt)) {
    await end(stripe, known.id);
    known = undefined;
  }
  if ((!known || isOver(known)) && wanted.inTime) known = await make(stripe, wanted);
  if (known?.status === 'incomplete') {
    const invoiceId = idOf(known.latest_invoice);
    if (invoiceId) await giveUp(invoiceId);
    await end(stripe, known.id);
    return null;
  }
  if (!known || isOver(known)) return null;
  const changes = await changesOf(stripe, known, wanted);
  if (Object.keys(changes).length > 0) await stripe.subscriptions.update(known.id, changes);
  return known.id;
}

async function end(stripe: Stripe, processorId: string): Promise<void> {
  if (!isOver(await stripe.subscriptions.retrieve(processorId)))
    await stripe.subscriptions.cancel(processorId, { prorate: false, invoice_now: false });
}

/** The fields of a known subscription that differ from the wanted one. */
async function changesOf(stripe: Stripe, known: Stripe.Subscription, wanted: WantedSubscription): Promise<Stripe.SubscriptionUpdateParams> {
  const changes: Stripe.SubscriptionUpdateParams = {};
  if (!saysTheSame(known.items.data, wanted.lines)) {
    const fresh = await itemsOf(stripe, wanted);
    changes.items = [...known.items.data.map(({ id }) => ({ id, deleted: true })), ...fresh];
    changes.proration_behavior = 'none';
  }
  if (idOf(known.default_payment_method) !== wanted.meansId) changes.default_payment_method = wanted.meansId;
  if (known.cancel_at_period_end !== wanted.cancelAtPeriodEnd) changes.cancel_at_period_end = wanted.cancelAtPeriodEnd;
  if (known.pause_collection?.behavior !== 'keep_as_draft') changes.pause_collection = { behavior: 'keep_as_draft' };
  return changes;
}

/** Finds a subscription that was made although its id could not be stored. */
async function find(stripe: Stripe, { id, customerId }: WantedSubscription): Promise<Stripe.Subscription | undefined> {
  for await (const known of stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
    if (known.metadata['subscription_id'] === id && !isOver(known)) return known;
  return undefined;
}

/**
 * Creates a subscription. Its first invoice is zero, since the purchase has been paid. Later invoices stay drafts until we finalize them. If its period begins
 * while the request is on its way, the first invoice is for the whole period; it is not charged either, and the subscription is incomplete.
 */
async function make(stripe: Stripe, wanted: WantedSubscription): Promise<Stripe.Subscription> {
  return stripe.subscriptions.create(
    {
      customer: wanted.customerId,
      default_payment_method: wanted.meansId,
      items: await itemsOf(stripe, wanted),
      ...anchorFor(wanted),
      proration_behavior: 'none',
      payment_behavior: 'default_incomplete',
      off_session: true,
      description: wanted.title.slice(0, 500),
      metadata: { subscription_id: wanted.id },
    },
    // A subscription in place of one that has ended needs another key.
    { idempotencyKey: `${wanted.id}:subscription:${wanted.periodEnd.getTime()}:${wanted.processorId ?? 'first'}` },
  );
}

/** Every month has this day; up to it a moment alone is enough as the anchor. */
const SHORTEST_MONTH = 28;

/** The billing anchor. A moment in a short month would lose the day of later months, so for later days the processor is told the day of the month itself. */
function anchorFor({ anchorAt, periodEnd }: WantedSubscription): Stripe.SubscriptionCreateParams {
  if (anchorAt.getUTCDate() <= SHORTEST_MONTH) return { billing_cycle_anchor: toSeconds(periodEnd) };
  return {
    billing_cycle_anchor_config: {
      day_of_month: anchorAt.getUTCDate(),
      month: periodEnd.getUTCMonth() + 1,
      hour: anchorAt.getUTCHours(),
      minute: anchorAt.getUTCMinutes(),
      second: anchorAt.getUTCSeconds(),
    },
  };
}

/** Whether the periods of a subscription end on the day and at the time of the anchor. */
function countsFrom({ billing_cycle_anchor: at, billing_cycle_anchor_config: config }: Stripe.Subscription, anchorAt: Date): boolean {
  const day = config?.day_of_month ?? new Date(at * 1_000).getUTCDate();
  return day === anchorAt.getUTCDate() && at % 86_400 === toSeconds(anchorAt) % 86_400;
}

const itemsOf = (stripe: Stripe, { lines, currency, months }: WantedSubscription) =>
  Promise.all(
    lines.map(async ({ label, amountMinor }) => ({
      quantity: 1,
      metadata: { label },
      price_data: {
        currency: currency.toLowerCase(),
        product: await productOf(stripe, label),
        unit_amount: amountMinor,
        recurring: { interval: 'month' as const, interval_count: months },
      },
    })),
  );

/** The product with a name, which the processor prints on its invoice; there is one per name. */
async function productOf(stripe: Stripe, name: string): Promise<string> {
  const id = `egress_${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;
  try {
    await stripe.products.create({ id, name: name.slice(0, 250) });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists')) throw error;
  }
  return id;
}

const saysTheSame = (items: Stripe.SubscriptionItem[], lines: OfferLine[]): boolean =>
  items.length === lines.length &&
  lines.every(
    ({ label, amountMinor }, index) => items[index]?.metadata['label'] === label && items[index].price.unit_amount === amountMinor,
  );

const isOver = ({ status }: Stripe.Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';
