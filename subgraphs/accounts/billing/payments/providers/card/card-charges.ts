// The card processor's charge for each period is an invoice of its own, created as a draft. We set its amount, finalize it and have it paid, so that
// the processor never attempts a charge by itself.
import Stripe from 'stripe';
import { NO_INVOICE } from '../../domain/no-invoice.ts';
import type { ChargeState, PayOutcome, RecurringCharges } from '../recurring-charges.ts';
import { idOf, toSeconds } from './card-client.ts';
import { UNKNOWN_CARD, refusedBy } from './card-declines.ts';

export type CardCharges = Omit<RecurringCharges, 'upsert' | 'end'>;
type Asked = Parameters<RecurringCharges['ask']>[0];

export const createCardCharges = (stripe: Stripe): CardCharges => ({
  async renewal(processorId, periodStart) {
    for await (const invoice of stripe.invoices.list({ subscription: processorId, limit: 100, ...WITH_LIST_PAYMENTS }))
      if (
        invoice.billing_reason === 'subscription_cycle' &&
        invoice.status !== 'void' &&
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
      // Something else may have paid it at the same moment. The processor has no error code for that, so the invoice is read again.
      if (error instanceof Stripe.errors.StripeInvalidRequestError && (await stripe.invoices.retrieve(chargeId)).status === 'paid')
        return { outcome: 'paid' };
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
  const known = chargeId ? await stripe.invoices.retrieve(chargeId, WITH_PAYMENTS) : undefined;
  // A void invoice was given up because its amount was another.
  let invoice: Stripe.Invoice = !known || known.status === 'void' ? await invoiceFor(stripe, asked) : known;
  const id = invoice.id as string;
  if (invoice.status !== 'draft') return toState(invoice);
  if (invoice.metadata?.['order_id'] !== orderId || invoice.auto_advance)
    invoice = await stripe.invoices.update(id, { auto_advance: false, metadata: { order_id: orderId }, ...notOurInvoice(asked) });
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
      { idempotencyKey: `${id}:lines:${difference}` },
    );
  await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey: `${id}:finalize` });
  return toState(await stripe.invoices.retrieve(id, WITH_PAYMENTS));
}

/** One supply has one numbered invoice, which is ours. The processor's page is only for paying, and says so. */
const notOurInvoice = ({ orderId, language }: Pick<Asked, 'orderId' | 'language'>) => ({
  custom_fields: [{ name: 'Order', value: orderId }],
  footer: NO_INVOICE[language],
});

async function invoiceFor(stripe: Stripe, asked: Asked): Promise<Stripe.Invoice> {
  const { orderId, customerId, currency, amountMinor } = asked;
  for await (const known of stripe.invoices.list({ customer: customerId, limit: 100 }))
    if (known.metadata?.['order_id'] === orderId && known.status !== 'void') return known;
  return stripe.invoices.create(
    {
      customer: customerId,
      currency: currency.toLowerCase(),
      auto_advance: false,
      pending_invoice_items_behavior: 'exclude',
      metadata: { order_id: orderId },
      ...notOurInvoice(asked),
    },
    { idempotencyKey: `${orderId}:invoice:${amountMinor}` },
  );
}

/** The outcome of an attempt that the processor answered with an error. Throws an error that is no answer to the attempt. */
function outcomeOf(error: unknown): PayOutcome {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  if (error.code === 'invoice_payment_intent_requires_action' || error.code === 'authentication_required')
    return { outcome: 'needs_confirmation' };
  if (error instanceof Stripe.errors.StripeCardError) return refusedBy(error);
  if (error.code === 'resource_missing') return UNKNOWN_CARD;
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
