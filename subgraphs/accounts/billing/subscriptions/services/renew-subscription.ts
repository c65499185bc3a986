// Renewals: their price, their locks, and the effect of their payment.
import { toDay } from '#platform/clock.ts';
import { formatMoney } from '#commerce/money.ts';
import { type OfferLine, sumOfLines, taxOf } from '#commerce/offers.ts';
import { onPaid } from '../domain/renewal.ts';
import { appliesTo } from '../domain/repricing.ts';
import { type TaxPosition, taxPositionOf } from '../../tax/services/tax-position.ts';
import { type BillingSubscription, lockSubscription, subscriptionWithId } from '../entities/billing-subscription.ts';
import { dropRepricing, repricingOf } from '../entities/repricing.ts';
import type { Order } from '../../orders/entities/order.ts';
import { existingOrder, lockOrder } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { discountOfRenewal } from '../../coupons/services/coupon-of-renewal.ts';
import { useOnePeriod } from '../../coupons/entities/coupon-use.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { applyOutcome, renewingOf } from './subscriptions.ts';

export interface RenewalPrice {
  lines: OfferLine[];
  /** What a coupon takes off; it is also one of the lines. */
  discountMinor: number;
  subtotalMinor: number;
  taxBasisPoints: number;
  taxMinor: number;
  totalMinor: number;
}

/** The price of the next period, which may be one that its seller has announced, with the coupon that applies to it and at today's tax rate. */
export async function priceRenewal(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
): Promise<RenewalPrice & { position: TaxPosition }> {
  const { id, accountId, currentPeriodEnd } = subscription;
  const position = await taxPositionOf(ctx, accountId);
  const repricing = await repricingOf(ctx.em, id);
  const recurring = repricing && appliesTo(repricing, subscription, currentPeriodEnd) ? repricing.lines : subscription.lines;
  const discount = await discountOfRenewal(ctx.em, { id, lines: recurring });
  const lines = discount ? [...recurring, discount] : recurring;
  const { basisPoints: taxBasisPoints } = position;
  const subtotalMinor = sumOfLines(lines);
  const taxMinor = taxOf(subtotalMinor, taxBasisPoints);
  const discountMinor = -(discount?.amountMinor ?? 0);
  return { lines, discountMinor, subtotalMinor, taxBasisPoints, taxMinor, totalMinor: subtotalMinor + taxMinor, position };
}

/** Mails the owner what is due, until when, and where to pay it. */
export async function notifyRenewal(
  ctx: SubscriptionsContext,
  { accountId, currentPeriodEnd, title }: BillingSubscription,
  order: Order,
): Promise<void> {
  await postToOwner(ctx, accountId, 'renewal_due', {
    title,
    amount: formatMoney({ amountMinor: order.totalMinor, currency: order.currency }),
    due: toDay(currentPeriodEnd),
    url: `${ctx.providers.publicUrl}/orders/${order.id}`,
  });
}

/** Whether the payment of this order still renews the subscription: not when it has ended, or when this period is paid. */
export const canRenew = (subscription: BillingSubscription | null, order: Order): boolean =>
  subscription !== null && subscription.status !== 'CANCELED' && subscription.renewalOrderId === order.id;

/** Renews a subscription, in the transaction of the renewal's payment: the next period begins where the last one ended. The caller holds both locks. */
export async function renewSubscription(ctx: SubscriptionsContext, order: Order, subscription: BillingSubscription): Promise<void> {
  const outcome = order.periodEnd && onPaid(renewingOf(subscription), order.periodEnd);
  if (!order.periodStart || !outcome) throw new Error(`order ${order.id} renews nothing`);
  subscription.currentPeriodStart = order.periodStart;
  if (order.discountMinor > 0) await useOnePeriod(ctx.em, subscription.id);
  await applyOutcome(ctx, subscription, outcome, await takeNewPrice(ctx, order, subscription));
  const purchase = await existingOrder(ctx.em, subscription.orderId);
  moveOrder(order, 'delivered');
  order.fulfilledAt = ctx.clock.now();
  order.resourceId = purchase.resourceId ?? null;
  await announceOrder(ctx, order, 'order.fulfilled', { resourceId: order.resourceId });
}

/** When the renewal was placed at a price that its seller had announced: that is the subscription's price from now on. Returns the seller's id of it. */
async function takeNewPrice({ em }: SubscriptionsContext, order: Order, subscription: BillingSubscription): Promise<string | undefined> {
  const repricing = await repricingOf(em, subscription.id);
  if (!repricing || !order.periodStart || !appliesTo(repricing, subscription, order.periodStart)) return undefined;
  // Placed before, at the price that was: the period after this one is the first at the new price.
  if (repricing.announcedAt >= order.placedAt) return undefined;
  const { repricingId, lines } = repricing;
  Object.assign(subscription, { lines, amountMinor: sumOfLines(lines) });
  await dropRepricing(em, subscription.id);
  return repricingId;
}

/** Locks the open renewal of a subscription, and the subscription; always in this order. */
export async function lockRenewal(
  ctx: SubscriptionsContext,
  id: string,
): Promise<{ subscription: BillingSubscription | null; renewal: Order | null }> {
  const seen = await subscriptionWithId(ctx.em, id);
  const renewal = seen?.renewalOrderId ? await lockOrder(ctx.em, seen.renewalOrderId) : null;
  const subscription = await lockSubscription(ctx.em, id);
  return { subscription, renewal: subscription?.renewalOrderId === renewal?.id ? renewal : null };
}
