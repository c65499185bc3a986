// Attempts to collect a renewal. Saved means are charged by the processor's charge for the period; for other methods an attempt only finds the renewal unpaid.
// Each failure counts once.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { type BillingSubscription, forgetRefusal } from '../../subscriptions/entities/billing-subscription.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import { type Order, lockOrder, noteCharge, orderWithId } from '../../orders/entities/order.ts';
import { isPaidBy } from '../../payments/entities/payment.ts';
import { chargesOf, isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { ChargeState, Refused } from '../../payments/providers/recurring-charges.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';
import { creditPayment } from '../../subscriptions/services/change-subscription.ts';
import { REFUSED_BEFORE, recordFailure, recordRefusal } from './record-failure.ts';

/** How long the processor may take to make the charge for a period; afterwards we make one ourselves. */
const PROCESSOR_LATE_MS = HOUR;

/** Applies the state of a charge to its order. Repeated, late and concurrent calls change nothing more. */
export const applyCharge = (ctx: SubscriptionsContext, state: ChargeState): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => settleCharge(tx, state));

/** The same, in the caller's transaction. */
export async function settleCharge(
  ctx: SubscriptionsContext,
  { id, status, orderId, amountMinor, currency, paymentId }: ChargeState,
): Promise<void> {
  if (status !== 'paid' || !orderId) return;
  const order = await lockOrder(ctx.em, orderId);
  if (!order) {
    ctx.log.warn({ charge: id, order: orderId }, 'a charge that belongs to no order of ours');
    return;
  }
  if (amountMinor === 0) return;
  const { processor } = methodOf(order.method);
  const payment = { processor, processorId: paymentId ?? id };
  if (await isPaidBy(ctx.em, processor, payment.processorId)) return;
  // The charge asked for another amount, because credit has paid a part since. Its money becomes account credit, which pays the rest.
  if (amountMinor !== order.totalMinor || currency !== order.currency || (order.chargeId && order.chargeId !== id))
    return creditPayment(ctx, order, payment, { amountMinor, currency });
  await payOrder(ctx, order, payment);
}

/** Makes the processor's charge ask for exactly the renewal's price. Undefined: the charge for the period does not exist yet. */
export async function prepareCharge(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  order: Order,
): Promise<ChargeState | undefined> {
  const charges = chargesOf(ctx.providers, subscription.method);
  const { processor } = methodOf(subscription.method);
  const customer = await customerOfAccount(ctx.em.fork(), processor, order.accountId);
  if (!customer) throw new Error(`account ${order.accountId} is no customer of ${processor}`);
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
    language: (await existingAccount(ctx.em.fork(), order.accountId)).language,
  });
  if (order.chargeId !== state.id || order.checkoutUrl !== state.url)
    await noteCharge(ctx.em.fork(), orderId, { chargeId: state.id, checkoutUrl: state.url ?? null });
  if (state.status === 'open' && state.amountMinor !== amountMinor)
    throw new Error(`charge ${state.id} asks for ${state.amountMinor}, order ${orderId} costs ${amountMinor}`);
  return state;
}

/** Makes one attempt, when the table of days says so. False when nothing could be done yet. */
export async function attemptRenewal(ctx: SubscriptionsContext, subscription: BillingSubscription): Promise<boolean> {
  const order = subscription.renewalOrderId && (await orderWithId(ctx.em.fork(), subscription.renewalOrderId));
  if (!order || order.status !== 'PENDING') return false;
  const attempt = subscription.failures + 1;
  const { meansId } = subscription;
  const failed = (reason: Reason, refused?: Refused) =>
    recordFailure(ctx, subscription.id, { order, attempt, reason, meansId: meansId ?? null, refused });
  if (!isCharged(subscription.method)) return failed(because('renewal_unpaid'));
  if (!meansId) return failed(because('renewal_without_card'));
  // Means that the bank will never accept are not tried again: the failure counts, and the owner is told what to do.
  if (meansId === subscription.refusedMeansId) return failed(because('renewal_card_refused_before'), REFUSED_BEFORE);
  const charges = chargesOf(ctx.providers, subscription.method);
  const charge = await prepareCharge(ctx, subscription, order);
  // The money is on its way.
  if (!charge || charge.status === 'pending') return false;
  const result =
    charge.status === 'paid'
      ? { outcome: 'paid' as const }
      : await charges.pay({ chargeId: charge.id, meansId, key: `${charge.id}:pay:${attempt}`, attended: false });
  if (result.outcome === 'pending') return false;
  if (result.outcome === 'paid') await applyCharge(ctx, await charges.lookUp(charge.id));
  else if (result.outcome === 'refused') await failed(because('card_refused', { words: result.message }), result);
  else await failed(because('renewal_wants_confirmation'));
  return true;
}

/** Charges the renewal now, at the owner's request. Errors: payment_refused, payment_needs_confirmation, action_not_allowed. */
export async function payRenewal(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  { meansId, key }: { meansId: string; key: string },
): Promise<void> {
  const order = subscription.renewalOrderId && (await orderWithId(ctx.em.fork(), subscription.renewalOrderId));
  if (!order) throw fail('action_not_allowed', { reason: because('nothing_owed') });
  const charge = await prepareCharge(ctx, subscription, order);
  if (!charge) throw fail('action_not_allowed', { reason: because('renewal_in_preparation') });
  if (charge.status === 'pending') throw fail('action_not_allowed', { reason: because('payment_on_its_way') });
  const charges = chargesOf(ctx.providers, subscription.method);
  if (charge.status !== 'paid') {
    const result = await charges.pay({ chargeId: charge.id, meansId, key: `${charge.id}:now:${key}`, attended: true });
    if (result.outcome === 'refused') {
      await recordRefusal(ctx, subscription.id, { orderId: order.id, meansId, refused: result });
      throw fail('payment_refused', { reason: because('card_refused', { words: result.message }) });
    }
    if (result.outcome === 'needs_confirmation') throw fail('payment_needs_confirmation');
  }
  await applyCharge(ctx, await charges.lookUp(charge.id));
  await forgetRefusal(ctx.em.fork(), subscription.id, meansId);
}
