// Subscriptions and their invoices at the card processor, in our words. It makes the invoice of each period, as a draft; we say what it comes to, make it
// final and have it paid, so that nothing is ever tried by the processor itself.
import Stripe from 'stripe';
import { createHash } from 'node:crypto';
import type { OfferLine } from '#commerce/offers.ts';
import type { ChargeState, RecurringCharges, WantedSubscription } from '../recurring-charges.ts';

const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
const idOf = (value: string | { id: string } | null | undefined): string | undefined => (typeof value === 'string' ? value : value?.id);

const isOver = ({ status }: Stripe.Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';

const STATUSES = ['draft', 'open', 'paid'] as const;
const WITH_PAYMENTS = { expand: ['payments'] };

function toState(invoice: Stripe.Invoice): ChargeState {
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
  const { status } = invoice;
  return {
    id: invoice.id as string,
    status: STATUSES.find((one) => one === status) ?? 'void',
    amountMinor: invoice.amount_due,
    currency: invoice.currency.toUpperCase(),
    paymentId: idOf(paid?.payment.payment_intent),
    url: invoice.hosted_invoice_url ?? undefined,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    orderId: invoice.metadata?.['order_id'],
  };
}

export function createCardSubscriptions(stripe: Stripe): RecurringCharges {
  /** One product per name: the processor prints it on its invoice. */
  async function productOf(name: string): Promise<string> {
    const id = `egress_${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;
    try {
      await stripe.products.create({ id, name: name.slice(0, 250) });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists')) throw error;
    }
    return id;
  }

  const itemsOf = ({ lines, currency, months }: WantedSubscription) =>
    Promise.all(
      lines.map(async ({ label, amountMinor }) => ({
        quantity: 1,
        metadata: { label },
        price_data: {
          currency: currency.toLowerCase(),
          product: await productOf(label),
          unit_amount: amountMinor,
          recurring: { interval: 'month' as const, interval_count: months },
        },
      })),
    );

  const saysTheSame = (items: Stripe.SubscriptionItem[], lines: OfferLine[]): boolean =>
    items.length === lines.length &&
    lines.every(
      ({ label, amountMinor }, index) => items[index]?.metadata['label'] === label && items[index].price.unit_amount === amountMinor,
    );

  /** One that was made before its id could be kept. */
  async function find({ id, customerId }: WantedSubscription): Promise<Stripe.Subscription | undefined> {
    for await (const known of stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
      if (known.metadata['subscription_id'] === id && !isOver(known)) return known;
    return undefined;
  }

  /**
   * Its first invoice asks for nothing: what was bought is paid. Later ones stay drafts until they are looked at. Should its period begin while the request is on its
   * way, the first would ask for all of it: then nothing is charged either, and the subscription is incomplete.
   */
  async function make(wanted: WantedSubscription): Promise<Stripe.Subscription> {
    return stripe.subscriptions.create(
      {
        customer: wanted.customerId,
        default_payment_method: wanted.meansId,
        items: await itemsOf(wanted),
        billing_cycle_anchor: toSeconds(wanted.periodEnd),
        proration_behavior: 'none',
        payment_behavior: 'default_incomplete',
        off_session: true,
        description: wanted.title.slice(0, 500),
        metadata: { subscription_id: wanted.id },
      },
      { idempotencyKey: `${wanted.id}:subscription:${wanted.periodEnd.getTime()}` },
    );
  }

  async function end(processorId: string): Promise<void> {
    if (!isOver(await stripe.subscriptions.retrieve(processorId)))
      await stripe.subscriptions.cancel(processorId, { prorate: false, invoice_now: false });
  }

  async function giveUp(invoiceId: string): Promise<ChargeState> {
    const invoice = await stripe.invoices.retrieve(invoiceId, WITH_PAYMENTS);
    if (invoice.status === 'draft') await stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false });
    const { status } = await stripe.invoices.retrieve(invoiceId);
    if (status === 'open' || status === 'uncollectible') await stripe.invoices.voidInvoice(invoiceId);
    return toState(await stripe.invoices.retrieve(invoiceId, WITH_PAYMENTS));
  }

  async function invoiceFor({ orderId, customerId, currency }: { orderId: string; customerId: string; currency: string }) {
    for await (const known of stripe.invoices.list({ customer: customerId, limit: 100 }))
      if (known.metadata?.['order_id'] === orderId) return known;
    return stripe.invoices.create(
      {
        customer: customerId,
        currency: currency.toLowerCase(),
        auto_advance: false,
        pending_invoice_items_behavior: 'exclude',
        metadata: { order_id: orderId },
      },
      { idempotencyKey: `${orderId}:invoice` },
    );
  }

  return {
    async keep(wanted) {
      let known = wanted.processorId ? await stripe.subscriptions.retrieve(wanted.processorId) : await find(wanted);
      if ((!known || isOver(known)) && wanted.inTime) known = await make(wanted);
      if (known?.status === 'incomplete') {
        const invoiceId = idOf(known.latest_invoice);
        if (invoiceId) await giveUp(invoiceId);
        await end(known.id);
        return null;
      }
      if (!known || isOver(known)) return null;
      const changes: Stripe.SubscriptionUpdateParams = {};
      if (!saysTheSame(known.items.data, wanted.lines)) {
        const fresh = await itemsOf(wanted);
        changes.items = [...known.items.data.map(({ id }) => ({ id, deleted: true })), ...fresh];
        changes.proration_behavior = 'none';
      }
      if (idOf(known.default_payment_method) !== wanted.meansId) changes.default_payment_method = wanted.meansId;
      if (known.cancel_at_period_end !== wanted.cancelAtPeriodEnd) changes.cancel_at_period_end = wanted.cancelAtPeriodEnd;
      if (known.pause_collection?.behavior !== 'keep_as_draft') changes.pause_collection = { behavior: 'keep_as_draft' };
      if (Object.keys(changes).length > 0) await stripe.subscriptions.update(known.id, changes);
      return known.id;
    },

    end,

    async renewal(processorId, periodStart) {
      for await (const invoice of stripe.invoices.list({ subscription: processorId, limit: 100, ...WITH_LIST_PAYMENTS }))
        if (
          invoice.billing_reason === 'subscription_cycle' &&
          invoice.lines.data.some(({ period }) => period.start === toSeconds(periodStart))
        )
          return toState(invoice);
      return undefined;
    },

    async leftDrafts(processorId, until) {
      const drafts = await stripe.invoices.list({ subscription: processorId, status: 'draft', limit: 100 });
      return drafts.data
        .filter(({ lines }) => lines.data.some(({ period }) => period.start <= toSeconds(until)))
        .map(({ id }) => id as string);
    },

    lookUp: async (id) => toState(await stripe.invoices.retrieve(id, WITH_PAYMENTS)),

    async ask(request) {
      const { orderId, customerId, amountMinor, currency, title } = request;
      let invoice = request.chargeId ? await stripe.invoices.retrieve(request.chargeId, WITH_PAYMENTS) : await invoiceFor(request);
      const id = invoice.id as string;
      if (invoice.status === 'draft') {
        if (invoice.metadata?.['order_id'] !== orderId || invoice.auto_advance)
          invoice = await stripe.invoices.update(id, { auto_advance: false, metadata: { order_id: orderId } });
        const difference = amountMinor - invoice.amount_due;
        if (difference !== 0)
          await stripe.invoiceItems.create(
            {
              customer: customerId,
              invoice: id,
              amount: difference,
              currency: currency.toLowerCase(),
              description: invoice.amount_due === 0 ? title : difference < 0 ? 'Account credit' : 'Changes since',
            },
            { idempotencyKey: `${orderId}:lines:${difference}` },
          );
        await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey: `${orderId}:finalize` });
        invoice = await stripe.invoices.retrieve(id, WITH_PAYMENTS);
      }
      return toState(invoice);
    },

    async pay({ chargeId, meansId, key, attended }) {
      try {
        await stripe.invoices.pay(chargeId, { payment_method: meansId, off_session: !attended }, { idempotencyKey: key });
        return { outcome: 'paid' };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        if (error.code === 'invoice_payment_intent_requires_action' || error.code === 'authentication_required')
          return { outcome: 'needs_confirmation' };
        if (error.code === 'invoice_already_paid') return { outcome: 'paid' };
        if (error instanceof Stripe.errors.StripeCardError) return { outcome: 'refused', message: error.message };
        // The card is gone from the processor: as good as refused.
        if (error.code === 'resource_missing' || error.code === 'payment_method_customer_mismatch')
          return { outcome: 'refused', message: 'The card is not known any more.' };
        throw error;
      }
    },

    giveUp,
  };
}

const WITH_LIST_PAYMENTS = { expand: ['data.payments'] };
