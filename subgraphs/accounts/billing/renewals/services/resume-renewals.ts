import { afterSuspension } from '../domain/after-suspension.ts';
import { subscriptionsOfAccount } from '../../subscriptions/entities/billing-subscription.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { lockRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { announceSubscription, renewingOf } from '../../subscriptions/services/subscriptions.ts';

/** Resumes the renewals of an account that is restored, in the transaction of `ctx.em`, which holds the account's lock. */
export async function resumeRenewals(ctx: SubscriptionsContext, accountId: string, since: Date): Promise<void> {
  const living = (await subscriptionsOfAccount(ctx.em, accountId)).filter(({ status }) => status !== 'CANCELED');
  for (const id of living.map((subscription) => subscription.id).sort()) {
    const { subscription, renewal } = await lockRenewal(ctx, id);
    if (!subscription || subscription.status === 'CANCELED') continue;
    // The order of a renewal may have expired meanwhile; a new one is then placed.
    const lost = renewal !== null && renewal.status !== 'PENDING';
    const { currentPeriodEnd, ...dates } = afterSuspension(renewingOf(subscription), since, ctx.clock.now());
    Object.assign(
      subscription,
      dates,
      lost && { renewalOrderId: null, nextAttemptAt: null },
      currentPeriodEnd && { currentPeriodEnd, anchorAt: currentPeriodEnd },
    );
    if (lost || currentPeriodEnd) await announceSubscription(ctx, subscription, 'subscription.changed');
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-step', { id }, { key: id });
  }
}
