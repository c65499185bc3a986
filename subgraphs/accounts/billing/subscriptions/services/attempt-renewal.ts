// Attempts to be paid for a renewal. Saved means are charged through the processor's own charge for the period; who pays otherwise is only looked at.
// Each failure counts once.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { RETRY_DAYS } from '../domain/dunning.ts';
import { onFailed } from '../domain/renewal.ts';
import type { BillingSubscription } from '../entities/billing-subscription.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import { type Order, lockOrder, noteCharge, orderWithId } from '../../orders/entities/order.ts';
import { chargesOf, isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { ChargeState } from '../../payments/providers/recurring-charges.ts';
import type { Context } from '../../../context.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { lockRenewal } from './renew-subscription.ts';
import { applyOutcome, renewingOf } from './subscriptions.ts';

/** So long the processor may take to make the charge for a period; then we make one ourselves. */
const PROCESSOR_LATE_MS = HOUR;

/** Brings the order of a charge to what the processor says. Repeated, late and crossing calls change nothing more. */
export const applyCharge = (ctx: Context, state: ChargeState): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => settleCharge(tx, state));

/** The same in the caller's transaction. */
export async function settleCharge(ctx: Context, { id, status, orderId, amountMinor, currency, paymentId }: ChargeState): Promise<void> {
  if (status !== 'paid' || !orderId) return;
  const order = await lockOrder(ctx.em, orderId);
  if (!order || (order.chargeId && order.chargeId !== id)) {
    ctx.log.warn({ charge: id, order: orderId }, 'a charge that belongs to no order of ours');
    return;
  }
  if (order.totalMinor === 0) return;
  if (amountMinor !== order.totalMinor || currency !== order.currency)
    throw new Error(`charge ${id} took ${amountMinor} ${currency}, order ${orderId} costs ${order.totalMinor} ${order.currency}`);
  await payOrder(ctx, order, { processor: methodOf(order.method).processor, processorId: paymentId ?? id });
}

/** Has the processor ask for exactly what the renewal costs. Undefined: its charge for the period is not there yet. */
export async function prepareCharge(ctx: Context, subscription: BillingSubscription, order: Order): Promise<ChargeState | undefined> {
  const charges = chargesOf(ctx.providers, subscription.method);
  const customer = await customerOfAccount(ctx.em.fork(), order.accountId);
  if (!customer) throw new Error(`account ${order.accountId} is no customer of the processor`);
  const { processorId } = subscription;
  const known = order.chargeId ?? (processorId && order.periodStart && (await charges.renewal(processorId, order.periodStart))?.id);
  if (!known && processorId && ctx.clock.now() < after(order.placedAt, PROCESSOR_LATE_MS)) return undefined;
  const { id: orderId, totalMinor: amountMinor, currency, title } = order;
  const state = await charges.ask({
    orderId,
    customerId: customer.processorId,
    chargeId: known || undefined,
    amountMinor,
    currency,
    title,
  });
  if (order.chargeId !== state.id || order.checkoutUrl !== state.url)
    await noteCharge(ctx.em.fork(), orderId, { chargeId: state.id, checkoutUrl: state.url ?? null });
  if (state.status === 'open' && state.amountMinor !== amountMinor)
    throw new Error(`charge ${state.id} asks for ${state.amountMinor}, order ${orderId} costs ${amountMinor}`);
  return state;
}

/** One attempt, as the table of days has it. False when nothing could be done yet. */
export async function attemptRenewal(ctx: Context, subscription: BillingSubscription): Promise<boolean> {
  const order = subscription.renewalOrderId && (await orderWithId(ctx.em.fork(), subscription.renewalOrderId));
  if (!order || order.status !== 'PENDING') return false;
  const attempt = subscription.failures + 1;
  if (!isCharged(subscription.method)) return recordFailure(ctx, subscription.id, { order, attempt, reason: 'it has not been paid' });
  if (!subscription.meansId) return recordFailure(ctx, subscription.id, { order, attempt, reason: 'there is no card to charge' });
  const charges = chargesOf(ctx.providers, subscription.method);
  const charge = await prepareCharge(ctx, subscription, order);
  if (!charge) return false;
  const result =
    charge.status === 'paid'
      ? { outcome: 'paid' as const }
      : await charges.pay({ chargeId: charge.id, meansId: subscription.meansId, key: `${order.id}:pay:${attempt}`, attended: false });
  if (result.outcome === 'paid') await applyCharge(ctx, await charges.lookUp(charge.id));
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
  await postToOwner(ctx, accountId, subscription.status === 'UNPAID' ? 'renewal_suspended' : 'renewal_failed', {
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
  { meansId, key }: { meansId: string; key: string },
): Promise<void> {
  const order = subscription.renewalOrderId && (await orderWithId(ctx.em.fork(), subscription.renewalOrderId));
  if (!order) throw fail('action_not_allowed', { reason: because('nothing_owed') });
  const charge = await prepareCharge(ctx, subscription, order);
  if (!charge) throw fail('action_not_allowed', { reason: because('renewal_in_preparation') });
  const charges = chargesOf(ctx.providers, subscription.method);
  if (charge.status !== 'paid') {
    const result = await charges.pay({ chargeId: charge.id, meansId, key: `${order.id}:now:${key}`, attended: true });
    if (result.outcome === 'refused') throw fail('payment_refused', { reason: because('card_refused', { words: result.message }) });
    if (result.outcome === 'needs_confirmation') throw fail('payment_needs_confirmation');
  }
  await applyCharge(ctx, await charges.lookUp(charge.id));
}
