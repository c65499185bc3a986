// Attempts to be paid for a renewal. A card is charged through the processor's own invoice of the period; who pays otherwise is only looked at. Each failure counts once.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { RETRY_DAYS } from '../domain/dunning.ts';
import { onFailed } from '../domain/renewal.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import type { BillingSubscription } from '../entities/billing-subscription.ts';
import { customerOfAccount } from '../../payments/entities/card-customer.ts';
import { lockOrder, Order } from '../../orders/entities/order.ts';
import { chargesOf, isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { InvoiceState } from '../../payments/providers/recurring-charges.ts';
import type { Context } from '../../../providers.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { lockRenewal } from './renew-subscription.ts';
import { applyOutcome, renewingOf } from './subscriptions.ts';

/** So long the processor may take to make the invoice of a period; then we make one ourselves. */
const PROCESSOR_LATE_MS = HOUR;

/** Brings the order of an invoice to what the processor says. Repeated, late and crossing calls change nothing more. */
export const applyInvoice = (ctx: Context, state: InvoiceState): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => settleInvoice(tx, state));

/** The same in the caller's transaction. */
export async function settleInvoice(ctx: Context, { id, status, orderId, amountMinor, currency, paymentId }: InvoiceState): Promise<void> {
  if (status !== 'paid' || !orderId) return;
  const order = await lockOrder(ctx.em, orderId);
  if (!order || (order.processorInvoiceId && order.processorInvoiceId !== id)) {
    ctx.log.warn({ invoice: id, order: orderId }, 'an invoice that belongs to no order of ours');
    return;
  }
  if (order.totalMinor === 0) return;
  if (amountMinor !== order.totalMinor || currency !== order.currency)
    throw new Error(`invoice ${id} took ${amountMinor} ${currency}, order ${orderId} costs ${order.totalMinor} ${order.currency}`);
  await payOrder(ctx, order, { processor: methodOf(order.method).processor, processorId: paymentId ?? id });
}

/** Has the processor ask for exactly what the renewal costs. Undefined: its invoice for the period is not there yet. */
export async function prepareInvoice(ctx: Context, subscription: BillingSubscription, order: Order): Promise<InvoiceState | undefined> {
  const charges = chargesOf(ctx.providers, subscription.method);
  const customer = await customerOfAccount(ctx.em.fork(), order.accountId);
  if (!customer) throw new Error(`account ${order.accountId} is no customer of the processor`);
  const { processorId } = subscription;
  const known =
    order.processorInvoiceId ?? (processorId && order.periodStart && (await charges.renewal(processorId, order.periodStart))?.id);
  if (!known && processorId && ctx.clock.now() < after(order.placedAt, PROCESSOR_LATE_MS)) return undefined;
  const { id: orderId, totalMinor: amountMinor, currency, title } = order;
  const state = await charges.ask({
    orderId,
    customerId: customer.processorId,
    invoiceId: known || undefined,
    amountMinor,
    currency,
    title,
  });
  if (order.processorInvoiceId !== state.id || order.checkoutUrl !== state.url)
    await ctx.em.fork().nativeUpdate(Order, { id: orderId }, { processorInvoiceId: state.id, checkoutUrl: state.url ?? null });
  if (state.status === 'open' && state.amountMinor !== amountMinor)
    throw new Error(`invoice ${state.id} asks for ${state.amountMinor}, order ${orderId} costs ${amountMinor}`);
  return state;
}

/** One attempt, as the table of days has it. False when nothing could be done yet. */
export async function attemptRenewal(ctx: Context, subscription: BillingSubscription): Promise<boolean> {
  const order = subscription.renewalOrderId && (await ctx.em.fork().findOne(Order, { id: subscription.renewalOrderId }));
  if (!order || order.status !== 'PENDING') return false;
  const attempt = subscription.failures + 1;
  if (!isCharged(subscription.method)) return recordFailure(ctx, subscription.id, { order, attempt, reason: 'it has not been paid' });
  if (!subscription.cardId) return recordFailure(ctx, subscription.id, { order, attempt, reason: 'there is no card to charge' });
  const charges = chargesOf(ctx.providers, subscription.method);
  const invoice = await prepareInvoice(ctx, subscription, order);
  if (!invoice) return false;
  const result =
    invoice.status === 'paid'
      ? { outcome: 'paid' as const }
      : await charges.pay({ invoiceId: invoice.id, cardId: subscription.cardId, key: `${order.id}:pay:${attempt}`, attended: false });
  if (result.outcome === 'paid') await applyInvoice(ctx, await charges.invoice(invoice.id));
  else {
    const reason = result.outcome === 'refused' ? result.message : 'your bank wants you to confirm the payment';
    await recordFailure(ctx, subscription.id, { order, attempt, reason });
  }
  return true;
}

interface Failure {
  order: Order;
  /** Which one it was: a repeat of one that is counted changes nothing. */
  attempt: number;
  reason: string;
}

/** Counts a failed attempt, once, with one mail; the last one suspends. */
const recordFailure = (ctx: Context, id: string, { order, attempt, reason }: Failure): Promise<boolean> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (!subscription || renewal?.id !== order.id || renewal.status !== 'PENDING' || subscription.failures !== attempt - 1) return false;
    if (!(await applyOutcome(tx, subscription, onFailed(renewingOf(subscription), ctx.clock.now())))) return false;
    await notifyFailure(tx, subscription, renewal, { attempt, reason });
    return true;
  });

async function notifyFailure(
  ctx: Context,
  { accountId, title, nextAttemptAt, removalWarnedAt: _, ...subscription }: BillingSubscription,
  order: Order,
  { attempt, reason }: Pick<Failure, 'attempt' | 'reason'>,
): Promise<void> {
  const { email } = await existingAccount(ctx.em, accountId);
  if (!email) return;
  await postMail(ctx, email, subscription.status === 'UNPAID' ? 'renewal_suspended' : 'renewal_failed', {
    title,
    reason,
    amount: formatMoney({ amountMinor: order.totalMinor, currency: order.currency }),
    attempt,
    attempts: RETRY_DAYS.length,
    next: (nextAttemptAt ?? ctx.clock.now()).toISOString().slice(0, 10),
    url: `${ctx.providers.publicUrl}/orders/${order.id}`,
  });
}

/** The owner pays what is owed, now. Errors: payment_refused, payment_needs_confirmation, action_not_allowed. */
export async function payRenewal(
  ctx: Context,
  subscription: BillingSubscription,
  { cardId, key }: { cardId: string; key: string },
): Promise<void> {
  const order = subscription.renewalOrderId && (await ctx.em.fork().findOne(Order, { id: subscription.renewalOrderId }));
  if (!order) throw fail('action_not_allowed', { reason: 'Nothing is owed.' });
  const invoice = await prepareInvoice(ctx, subscription, order);
  if (!invoice) throw fail('action_not_allowed', { reason: 'The renewal is being prepared: please try again in a minute.' });
  const charges = chargesOf(ctx.providers, subscription.method);
  if (invoice.status !== 'paid') {
    const result = await charges.pay({ invoiceId: invoice.id, cardId, key: `${order.id}:now:${key}`, attended: true });
    if (result.outcome === 'refused') throw fail('payment_refused', { reason: result.message });
    if (result.outcome === 'needs_confirmation') throw fail('payment_needs_confirmation');
  }
  await applyInvoice(ctx, await charges.invoice(invoice.id));
}
