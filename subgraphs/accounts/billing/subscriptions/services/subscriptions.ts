// Changes of a subscription; each appends an event for its seller.
import { appendEvents } from '#platform/events.ts';
import { type OfferSubscription, sumOfLines } from '#commerce/offers.ts';
import { addMonths } from '#commerce/proration.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { NOTHING_OWED, type Renewing } from '../domain/dunning.ts';
import { type Outcome, onEnd } from '../domain/renewal.ts';
import { type EndReason, yearlyMinorOf } from '../domain/subscription.ts';
import { type BillingSubscription, insertSubscription } from '../entities/billing-subscription.ts';
import { dropRepricing } from '../entities/repricing.ts';
import { noteMovement } from '../entities/recurring-movement.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import type { Order } from '../../orders/entities/order.ts';
import { isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../context.ts';
import { lastingDiscount } from '../../coupons/services/coupon-of-renewal.ts';
import { actorOf, writeActivity } from '../../../identity/services/activity.ts';

/** The facts of a subscription for the rules of renewals. */
export const renewingOf = (subscription: BillingSubscription): Renewing => ({
  status: subscription.status,
  isCharged: isCharged(subscription.method),
  currentPeriodEnd: subscription.currentPeriodEnd,
  months: subscription.intervalCount,
  noticedFor: subscription.noticedFor ?? null,
  cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
  asked: Boolean(subscription.renewalOrderId),
  failures: subscription.failures,
  failedAt: subscription.failedAt ?? null,
  nextAttemptAt: subscription.nextAttemptAt ?? null,
  reminders: subscription.reminders,
  suspendedAt: subscription.suspendedAt ?? null,
  removalWarnedAt: subscription.removalWarnedAt ?? null,
});

/**
 * Makes the change of an outcome, and appends its events. False when there is none. `repricingId`: the seller's repricing that a renewal brings into force. The
 * caller holds the subscription's lock.
 */
export async function applyOutcome(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  outcome: Outcome | undefined,
  repricingId?: string,
): Promise<boolean> {
  if (!outcome) return false;
  const { asked, ...change } = outcome.change;
  Object.assign(subscription, change, asked === false && { renewalOrderId: null });
  for (const fact of outcome.facts)
    await announceSubscription(ctx, subscription, fact, fact === 'subscription.renewed' ? repricingId : undefined);
  return true;
}

/** Appends the event for the seller, writes the line of activity, and increments the version. The caller has changed the row, which it holds locked. */
export async function announceSubscription(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  type: SubscriptionFact,
  repricingId?: string,
): Promise<void> {
  if (type !== 'subscription.started') subscription.version += 1;
  await notifySubscription(ctx, subscription, type, repricingId);
}

async function notifySubscription(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  type: SubscriptionFact,
  repricingId: string | undefined,
): Promise<void> {
  const { id: subject, accountId, seller, orderId, version, status, cancelAtPeriodEnd, endReason } = subscription;
  const at = ctx.clock.now();
  const data = {
    seller,
    orderId,
    version,
    status,
    cancelAtPeriodEnd,
    currentPeriodStart: subscription.currentPeriodStart.toISOString(),
    currentPeriodEnd: subscription.currentPeriodEnd.toISOString(),
    ...(endReason && { reason: endReason }),
    ...(repricingId !== undefined && { repricingId }),
  };
  await appendEvents(ctx.em, { type, at, accountId, subject, data });
  const amountMinor = subscription.amountMinor - (await lastingDiscount(ctx.em, subscription));
  await noteMovement(ctx.em, subscription, { yearlyMinor: yearlyMinorOf({ ...subscription, amountMinor }), at });
  await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id: subject }, { key: subject });
  await writeActivity(
    ctx,
    { type, at, accountId, subject, data: { title: subscription.title, ...(endReason && { reason: endReason }) } },
    actorOf(ctx.viewer, accountId),
  );
}

/** The data about its subscription that a paid order carries to the seller. */
export const toPaidSubscription = ({ id, version, intervalCount, currentPeriodStart, currentPeriodEnd }: BillingSubscription) => ({
  id,
  version,
  months: intervalCount,
  currentPeriodStart: currentPeriodStart.toISOString(),
  currentPeriodEnd: currentPeriodEnd.toISOString(),
});

/** Starts the subscription of a purchase in the transaction of its payment: its first period begins now, to the second. */
export async function startSubscription(
  ctx: SubscriptionsContext,
  order: Order,
  terms: OfferSubscription,
  meansId: string | undefined,
): Promise<BillingSubscription> {
  const start = new Date(Math.floor(ctx.clock.now().getTime() / 1_000) * 1_000);
  const end = addMonths(start, terms.months);
  const customer = isCharged(order.method) ? await customerOfAccount(ctx.em, methodOf(order.method).processor, order.accountId) : null;
  const subscription = await insertSubscription(ctx.em, {
    id: terms.id,
    accountId: order.accountId,
    orderId: order.id,
    seller: order.seller,
    title: terms.title ?? order.title,
    method: order.method,
    currency: order.currency,
    status: 'ACTIVE',
    version: 1,
    lines: terms.lines,
    amountMinor: sumOfLines(terms.lines),
    interval: 'MONTH',
    intervalCount: terms.months,
    startedAt: start,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    anchorAt: start,
    cancelAtPeriodEnd: false,
    endedAt: null,
    endReason: null,
    renewalOrderId: null,
    ...NOTHING_OWED,
    processorId: null,
    meansId: meansId ?? customer?.defaultMeansId ?? null,
    frozenAt: null,
    refusedMeansId: null,
    noticedFor: null,
    syncedVersion: null,
  });
  await announceSubscription(ctx, subscription, 'subscription.started');
  return subscription;
}

/** Ends a subscription for good. The caller holds its lock. */
export async function endSubscription(ctx: SubscriptionsContext, subscription: BillingSubscription, reason: EndReason): Promise<boolean> {
  const outcome = onEnd(subscription);
  if (!outcome) return false;
  Object.assign(subscription, { endedAt: ctx.clock.now(), endReason: reason });
  await dropRepricing(ctx.em, subscription.id);
  return applyOutcome(ctx, subscription, outcome);
}
