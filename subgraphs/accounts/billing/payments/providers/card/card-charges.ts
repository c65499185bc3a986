// What the card processor asks for each period: its own invoice, made as a draft. We say what it comes to, make it final and have it paid, so that
// nothing is ever tried by the processor itself.
import Stripe from 'stripe';
import type { ChargeState, PayOutcome, RecurringCharges } from '../recurring-charges.ts';
import { idOf, toSeconds } from './card-client.ts';

export type CardCharges = Omit<RecurringCharges, 'keep' | 'end'>;
type Asked = Parameters<RecurringCharges['ask']>[0];

export const createCardCharges = (stripe: Stripe): CardCharges => ({
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
  ask: (asked) => ask(stripe, asked),

  async pay({ chargeId, meansId, key, attended }) {
    try {
      await stripe.invoices.pay(chargeId, { payment_method: meansId, off_session: !attended }, { idempotencyKey: key });
      return { outcome: 'paid' };
    } catch (error) {
      return outcomeOf(error);
    }
  },

  async giveUp(chargeId) {
    const invoice = await stripe.invoices.retrieve(chargeId, WITH_PAYMENTS);
    if (invoice.status === 'draft') await stripe.invoices.finalizeInvoice(chargeId, { auto_advance: false });
    const { status } = await stripe.invoices.retrieve(chargeId);
    if (status === 'open' || status === 'uncollectible') await stripe.invoices.voidInvoice(chargeId);
    return toState(await stripe.invoices.retrieve(chargeId, WITH_PAYMENTS));
  },
});

async function ask(stripe: Stripe, asked: Asked): Promise<ChargeState> {
  const { orderId, customerId, amountMinor, currency, title, chargeId } = asked;
  let invoice = chargeId ? await stripe.invoices.retrieve(chargeId, WITH_PAYMENTS) : await invoiceFor(stripe, asked);
  const id = invoice.id as string;
  if (invoice.status !== 'draft') return toState(invoice);
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
  return toState(await stripe.invoices.retrieve(id, WITH_PAYMENTS));
}

async function invoiceFor(stripe: Stripe, { orderId, customerId, currency }: Asked): Promise<Stripe.Invoice> {
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

/** Of an attempt that the processor answers with an error. Throws what is no answer. */
function outcomeOf(error: unknown): PayOutcome {
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

const STATUSES = ['draft', 'open', 'paid'] as const;
const WITH_PAYMENTS = { expand: ['payments'] };
const WITH_LIST_PAYMENTS = { expand: ['data.payments'] };

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
