// Ends a subscription by its owner or because its time is over, and takes a cancellation back.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { onCancel, onKeep } from '../domain/renewal.ts';
import { checkSubscriptionAction } from '../domain/subscription-action.ts';
import type { EndReason } from '../domain/subscription.ts';
import { type BillingSubscription, willBeCharged } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, closeLater, moveOrder } from '../../orders/services/orders.ts';
import { lockRenewal } from './renew-subscription.ts';
import { applyOutcome, endSubscription, renewingOf } from './subscriptions.ts';

/** Cancels an unpaid renewal. Its credit is released once nobody can pay it. */
export async function withdraw(ctx: SubscriptionsContext, renewal: Order | null): Promise<void> {
  if (!renewal || !moveOrder(renewal, 'cancelled')) return;
  await announceOrder(ctx, renewal, 'order.cancelled');
  await closeLater(ctx, renewal);
  if (renewal.chargeId) await ctx.jobs.enqueue(ctx.em, 'accounts.invoice-give-up', { orderId: renewal.id });
  else if (!renewal.checkoutId) await releaseCredit(ctx, renewal);
}

/** Ends a subscription for good, and cancels its unpaid renewal. False when it has ended already. */
export const endNow = (ctx: SubscriptionsContext, id: string, reason: EndReason): Promise<boolean> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (!subscription || !(await endSubscription(tx, subscription, reason))) return false;
    await withdraw(tx, renewal);
    const { accountId, title } = subscription;
    await postToOwner(tx, accountId, 'subscription_ended', { title, unpaid: reason === 'UNPAID', url: pageOf(ctx) });
    return true;
  });

const pageOf = ({ providers }: SubscriptionsContext): string => `${providers.publicUrl}/billing`;

const change = (
  ctx: SubscriptionsContext,
  id: string,
  work: (tx: SubscriptionsContext, subscription: BillingSubscription, renewal: Order | null) => Promise<void>,
): Promise<BillingSubscription> => {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (subscription?.accountId !== accountId) throw fail('subscription_not_found');
    await work(tx, subscription, renewal);
    return subscription;
  });
};

/** Cancels a subscription: it ends with the paid period, or at once when the next one is owed already. Errors: subscription_not_found, action_not_allowed. */
export const cancelSubscription = (ctx: SubscriptionsContext, id: string): Promise<BillingSubscription> =>
  change(ctx, id, async (tx, subscription, renewal) => {
    checkSubscriptionAction('cancel', renewingOf(subscription));
    const outcome = onCancel(renewingOf(subscription), ctx.clock.now());
    if (outcome?.change.status === 'CANCELED') Object.assign(subscription, { endedAt: ctx.clock.now(), endReason: 'CANCELLED' });
    await applyOutcome(tx, subscription, outcome);
    await withdraw(tx, renewal);
  });

/** Errors: subscription_not_found, action_not_allowed. */
export const undoCancellation = (ctx: SubscriptionsContext, id: string): Promise<BillingSubscription> =>
  change(ctx, id, async (tx, subscription) => {
    checkSubscriptionAction('keep', renewingOf(subscription));
    await applyOutcome(tx, subscription, onKeep(renewingOf(subscription)));
  });

/** Refuses to close an account that has a subscription which will be charged again. Errors: action_not_allowed. */
export async function refuseWhileCharged({ em }: SubscriptionsContext, accountId: string): Promise<void> {
  if (await willBeCharged(em, accountId)) throw fail('action_not_allowed', { reason: because('subscriptions_run') });
}
