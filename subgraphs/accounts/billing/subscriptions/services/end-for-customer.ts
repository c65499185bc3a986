// Support ends a subscription: at once, with its period, with the server that it pays for, or because its money is refunded.
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { toDay } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { EventOf } from '#platform/events.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { onCancel } from '../domain/renewal.ts';
import { checkSubscriptionAction } from '../domain/subscription-action.ts';
import type { EndReason } from '../domain/subscription.ts';
import type { BillingSubscription } from '../entities/billing-subscription.ts';
import type { SubscriptionsContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { withdraw } from './cancel-subscription.ts';
import { lockRenewal } from './renew-subscription.ts';
import { applyOutcome, endSubscription, renewingOf } from './subscriptions.ts';

interface End {
  id: string;
  atPeriodEnd: boolean;
  /** The customer reads it in a mail. */
  reason: string;
}

/** Errors: subscription_not_found, own_account_refused, parameter_invalid, action_not_allowed (it has ended, or ends with its period already). */
export function endBySupport(ctx: SubscriptionsContext, { id, atPeriodEnd, reason }: End): Promise<BillingSubscription> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const { subscription } = await lockRenewal(tx, id);
    if (!subscription) throw fail('subscription_not_found');
    refuseOwnAccount(tx, subscription.accountId);
    if (atPeriodEnd) checkSubscriptionAction('cancel', renewingOf(subscription));
    if (subscription.status === 'CANCELED') throw fail('action_not_allowed', { reason: because('subscription_ended') });
    await endForCustomer(tx, { id, atPeriodEnd, reason: words, why: 'CANCELLED' });
    return subscription;
  });
}

/** Reaction to `compute_server.handled`: a server that staff delete ends with its subscription, which takes the server down. */
export async function endWithServer(ctx: SubscriptionsContext, { data }: EventOf<'compute_server.handled'>): Promise<void> {
  const { act, subscriptionId: id, reason } = data;
  if (act === 'ENDED') await endForCustomer(ctx, { id, atPeriodEnd: false, reason, why: 'CANCELLED' });
}

/** Ends a subscription, in the transaction of `ctx.em`, and cancels its unpaid renewal. False: it has ended already, or does not exist. */
export async function endForCustomer(
  ctx: SubscriptionsContext,
  { id, atPeriodEnd, reason, why }: End & { why: EndReason },
): Promise<boolean> {
  const { subscription, renewal } = await lockRenewal(ctx, id);
  if (!subscription) return false;
  const now = ctx.clock.now();
  const later = atPeriodEnd && subscription.currentPeriodEnd > now;
  const outcome = later ? onCancel(renewingOf(subscription), now) : undefined;
  const ended = later ? await applyOutcome(ctx, subscription, outcome) : await endSubscription(ctx, subscription, why);
  if (!ended) return false;
  await withdraw(ctx, renewal);
  const { accountId, title, currentPeriodEnd } = subscription;
  await record(ctx, { type: 'subscription.ended_by_support', accountId, subject: id, data: { title, reason, atPeriodEnd: later } });
  const on = later ? toDay(currentPeriodEnd) : null;
  await postToOwner(ctx, accountId, 'subscription_ended_by_support', { title, reason, on, url: `${ctx.providers.publicUrl}/billing` });
  return true;
}
