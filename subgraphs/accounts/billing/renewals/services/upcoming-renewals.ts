import { type BillingSubscription, subscriptionsOfAccount } from '../../subscriptions/entities/billing-subscription.ts';
import { orderWithId } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { type RenewalPrice, priceRenewal } from '../../subscriptions/services/renew-subscription.ts';

export interface Upcoming {
  subscription: BillingSubscription;
  at: Date;
  price: RenewalPrice;
}

/** The next renewal of a subscription, or the one that is owed; null when there will be none. */
export async function upcomingOf(ctx: SubscriptionsContext, subscription: BillingSubscription): Promise<Upcoming | null> {
  const { status, cancelAtPeriodEnd, renewalOrderId, currentPeriodEnd, nextAttemptAt } = subscription;
  if (status === 'CANCELED' || cancelAtPeriodEnd) return null;
  const asked = renewalOrderId ? await orderWithId(ctx.em, renewalOrderId) : null;
  if (!asked) return { subscription, at: currentPeriodEnd, price: await priceRenewal(ctx, subscription) };
  const { lines, discountMinor, subtotalMinor, taxBasisPoints, taxMinor } = asked;
  const price = { lines, discountMinor, subtotalMinor, taxBasisPoints, taxMinor, totalMinor: subtotalMinor + taxMinor };
  return { subscription, at: nextAttemptAt ?? currentPeriodEnd, price };
}

/** The next renewals of an account, soonest first. */
export async function upcomingRenewals(ctx: SubscriptionsContext, accountId: string): Promise<Upcoming[]> {
  const found: Upcoming[] = [];
  for (const subscription of await subscriptionsOfAccount(ctx.em, accountId)) {
    const upcoming = await upcomingOf(ctx, subscription);
    if (upcoming) found.push(upcoming);
  }
  return found.sort((one, other) => one.at.getTime() - other.at.getTime());
}
