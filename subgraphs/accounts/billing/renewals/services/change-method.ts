// Changes how a subscription is paid: by any method that can renew, also for an unpaid renewal. Credit pays first, whatever the method.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { type Order, orderWithId } from '../../orders/entities/order.ts';
import { checkSubscriptionAction } from '../../subscriptions/domain/subscription-action.ts';
import type { BillingSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { chargesOf, isCharged, methodOf, whyNotMethod } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { stopAsking } from './cover-renewal.ts';
import { lockRenewal, notifyRenewal, priceRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { renewingOf } from '../../subscriptions/services/subscriptions.ts';
import { askForTransfer } from '../../incoming-payments/services/bank-transfer.ts';
import { ownCard, ownSubscription } from './saved-cards.ts';

export interface SetMethodInput {
  id: string;
  method: PaymentMethod;
  /** The saved means, for a method that charges them. */
  cardId?: string | null;
}

/**
 * Sets the method of the caller's subscription. Errors: subscription_not_found, card_not_found, action_not_allowed (it has ended; money for its renewal is on
 * its way), bank_transfer_too_small, crypto_not_available, paypal_not_available, vendor_unavailable.
 */
export async function setMethod(ctx: SubscriptionsContext, { id, method, cardId }: SetMethodInput): Promise<BillingSubscription> {
  const accountId = accountOf(ctx);
  const seen = await ownSubscription(ctx, id);
  checkSubscriptionAction('change_method', renewingOf(seen));
  const { totalMinor } = await priceRenewal({ ...ctx, em: ctx.em.fork() }, seen);
  const refused = whyNotMethod(ctx.providers, method, { totalMinor, recurs: true });
  if (refused) throw refused;
  const meansId = isCharged(method) ? (await ownCard(ctx, accountId, cardId ?? '', method)).id : null;
  const asked = seen.renewalOrderId ? await orderWithId(ctx.em.fork(), seen.renewalOrderId) : null;
  if (asked?.status === 'PENDING' && !(await stopAsking(ctx, asked)))
    throw fail('action_not_allowed', { reason: because('payment_on_its_way') });
  // The previous processor no longer charges it, so its subscription there ends.
  const leaves = seen.method !== method;
  if (seen.processorId && isCharged(seen.method) && leaves) await chargesOf(ctx.providers, seen.method).end(seen.processorId);
  return inTransaction(ctx, async (tx) => {
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (!subscription) throw fail('subscription_not_found');
    checkSubscriptionAction('change_method', renewingOf(subscription));
    Object.assign(subscription, { method, meansId, syncedVersion: null, ...(leaves && { processorId: null }) });
    if (renewal?.status === 'PENDING' && renewal.id === asked?.id) await askBy(tx, subscription, renewal);
    await tx.jobs.enqueue(tx.em, 'accounts.subscription-sync', { id }, { key: id });
    await tx.jobs.enqueue(tx.em, 'accounts.subscription-step', { id }, { key: id });
    const data = { title: subscription.title, method };
    await record(tx, { type: 'subscription.method_changed', accountId, subject: id, data });
    return subscription;
  });
}

/**
 * Lets an unpaid renewal be paid by the new method: saved means are charged when its period begins, or at once if it has begun; otherwise the owner is told how
 * to pay.
 */
async function askBy(ctx: SubscriptionsContext, subscription: BillingSubscription, renewal: Order): Promise<void> {
  const { method, status, currentPeriodEnd } = subscription;
  const now = ctx.clock.now();
  Object.assign(renewal, { method, chargeId: null, checkoutUrl: null });
  if (status !== 'UNPAID')
    subscription.nextAttemptAt = currentPeriodEnd > now ? currentPeriodEnd : isCharged(method) ? now : subscription.nextAttemptAt;
  await ctx.em.flush();
  await announceOrder(ctx, renewal, 'order.payment_seen');
  if (methodOf(method).opens === 'INSTRUCTIONS') await askForTransfer(ctx, renewal);
  else if (!isCharged(method)) await notifyRenewal(ctx, subscription, renewal);
}
