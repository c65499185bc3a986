// Keeps the subscription at the processor in line with ours, where the processor charges the periods: its items, its means and its end.
import { inTransaction } from '#platform/database.ts';
import type { OfferLine } from '#commerce/offers.ts';
import { addMonths } from '#commerce/proration.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { type BillingSubscription, markSynced, subscriptionWithId } from '../../subscriptions/entities/billing-subscription.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import { lockOrder, orderWithId } from '../../orders/entities/order.ts';
import { chargesOf, isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { settleCharge } from './attempt-renewal.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { priceRenewal } from '../../subscriptions/services/renew-subscription.ts';

/** Brings the processor's subscription to the present state; safe to repeat, in any order. */
export async function syncSubscription(ctx: SubscriptionsContext, id: string): Promise<void> {
  const subscription = await subscriptionWithId(ctx.em.fork(), id);
  if (!subscription || subscription.syncedVersion === subscription.version) return;
  const { version, processorId: before = null } = subscription;
  const processorId = subscription.status === 'CANCELED' ? await end(ctx, subscription.method, before) : await upsert(ctx, subscription);
  await markSynced(ctx.em.fork(), { id, version }, { processorId });
}

async function end(ctx: SubscriptionsContext, method: PaymentMethod, processorId: string | null): Promise<string | null> {
  if (processorId) await chargesOf(ctx.providers, method).end(processorId);
  return processorId;
}

async function upsert(ctx: SubscriptionsContext, subscription: BillingSubscription): Promise<string | null> {
  const { id, accountId, method, meansId, title, currency, anchorAt, intervalCount: months, currentPeriodStart } = subscription;
  const now = ctx.clock.now();
  // When the next period is paid already, the processor counts from its beginning; its draft for that period is given up below.
  const periodEnd = currentPeriodStart > now ? currentPeriodStart : subscription.currentPeriodEnd;
  const processorId = subscription.processorId ?? null;
  const customer = await customerOfAccount(ctx.em.fork(), methodOf(method).processor, accountId);
  if (!isCharged(method) || !meansId || !customer) return processorId;
  const charges = chargesOf(ctx.providers, method);
  const charged = await charges.upsert({
    id,
    processorId,
    customerId: customer.processorId,
    meansId,
    title,
    currency,
    months,
    periodEnd,
    anchorAt,
    isSettled: !subscription.renewalOrderId,
    lines: await linesWithTax(ctx, subscription),
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    // An unpaid period is collected by a charge of its own, and the processor counts from the following period. The same applies where the period ends more
    // than one whole period from now: no processor can count from there ("later than the next natural billing date").
    inTime: periodEnd > now && periodEnd <= addMonths(now, months),
  });
  if (charged === null) return null;
  for (const chargeId of await charges.leftDrafts(charged, currentPeriodStart)) await charges.giveUp(chargeId);
  return charged;
}

async function linesWithTax(ctx: SubscriptionsContext, subscription: BillingSubscription): Promise<OfferLine[]> {
  const { lines, discountMinor, subtotalMinor, taxMinor } = await priceRenewal({ ...ctx, em: ctx.em.fork() }, subscription);
  // The processor takes no negative lines.
  const sold = discountMinor > 0 ? [{ label: `${subscription.title}, after coupon`, quantity: 1, amountMinor: subtotalMinor }] : lines;
  return [...sold, ...(taxMinor > 0 ? [{ label: 'Tax', quantity: 1, amountMinor: taxMinor }] : [])];
}

/** Voids the charge of a renewal that was given up. If it was paid meanwhile, the money becomes account credit. */
export async function giveUpCharge(ctx: SubscriptionsContext, orderId: string): Promise<void> {
  const order = await orderWithId(ctx.em.fork(), orderId);
  if (!order?.chargeId) return;
  const state = await chargesOf(ctx.providers, order.method).giveUp(order.chargeId);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    await settleCharge(tx, state);
    const locked = await lockOrder(tx.em, orderId);
    if (!locked) return;
    locked.checkoutClosedAt ??= ctx.clock.now();
    await releaseCredit(tx, locked);
  });
}
