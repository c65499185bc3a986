// Reaction to events of subscriptions: the plan takes over the period, and follows the payment. Subscriptions of other sellers are ignored.
import { type EventOf, appendEvents } from '#platform/events.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import { followRepricing } from '#commerce/repricing/reprice.ts';
import { staticProduct } from '../../products/domain/static-product.ts';
import { planEventOf } from '../domain/subscription-event.ts';
import { lockPlan } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';
import { REPRICED_PLANS } from './repriced-plans.ts';
import { movePlan } from './apply-plan-event.ts';

export async function followSubscription(ctx: PlansContext, fact: EventOf<SubscriptionFact>): Promise<void> {
  const { type, subject, data, at } = fact;
  if (data.seller !== 'static') return;
  const { version, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd, reason } = data;
  const plan = await lockPlan(ctx.em, { subscriptionId: subject });
  // A late or repeated event, which is older than what the plan knows.
  if (!plan || version < plan.billingVersion) return;
  Object.assign(plan, { billingVersion: version, periodStart: currentPeriodStart, periodEnd: currentPeriodEnd, cancelAtPeriodEnd });
  const repricing = await followRepricing(ctx, REPRICED_PLANS, plan.id, fact);
  if (repricing) {
    const products = await atPricesOf(ctx.em, ctx.providers.productsAt, plan.accountId, repricing.pricedAt);
    plan.unitMinor = staticProduct(products, plan.productId).perAddressMinor;
  }
  const event = planEventOf(type, reason);
  const moved = event !== undefined && (await movePlan(ctx, plan, event));
  if (!moved) await appendEvents(ctx.em, { type: 'static_plan.changed', at, accountId: plan.accountId, subject: plan.id });
}
