import { DAY, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { creditToUse } from '../../ledger/domain/account-credit.ts';
import { payableDays, stepAt } from '../../subscriptions/domain/dunning.ts';
import { onAsked } from '../../subscriptions/domain/renewal.ts';
import { periodEndAfter } from '../../subscriptions/domain/subscription.ts';
import { type BillingSubscription, lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Order, insertOrder, newOrder } from '../../orders/entities/order.ts';
import { isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { isAccountSuspended } from '../../../identity/entities/account.ts';
import { askForTransfer } from '../../incoming-payments/services/bank-transfer.ts';
import { holdCredit } from '../../orders/services/hold-credit.ts';
import { noteRenewalTax } from '../../tax/services/order-tax.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';
import { priceRenewal, notifyRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { applyOutcome, renewingOf } from '../../subscriptions/services/subscriptions.ts';

/**
 * Places the order of the next period, once, however many callers try at the same moment. Account credit pays first; when it covers everything, the
 * subscription is renewed at once.
 */
export const askForRenewal = (ctx: SubscriptionsContext, { id, accountId, currency }: BillingSubscription): Promise<boolean> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const balance = await lockCreditOfAccount(tx.em, accountId, currency);
    // The account's row is locked, so nobody can suspend it meanwhile.
    if (await isAccountSuspended(tx.em, accountId)) return false;
    const subscription = await lockSubscription(tx.em, id);
    const now = ctx.clock.now();
    if (!subscription || subscription.frozenAt || stepAt(renewingOf(subscription), now, ctx.providers.dunning) !== 'ask') return false;
    const order = await insertRenewal(tx, subscription, balance);
    subscription.renewalOrderId = order.id;
    await applyOutcome(tx, subscription, onAsked(renewingOf(subscription), now));
    await tx.em.flush();
    if (order.totalMinor === 0) await payOrder(tx, order);
    else if (!isCharged(order.method)) await notifyRenewal(tx, subscription, order);
    if (order.totalMinor > 0 && methodOf(order.method).opens === 'INSTRUCTIONS') await askForTransfer(tx, order);
    return true;
  });

async function insertRenewal(ctx: SubscriptionsContext, subscription: BillingSubscription, balanceMinor: number): Promise<Order> {
  const { id: subscriptionId, accountId, currency, method, title, seller, currentPeriodEnd, anchorAt, intervalCount } = subscription;
  const { totalMinor: grossMinor, position, ...price } = await priceRenewal(ctx, subscription);
  const creditMinor = creditToUse(balanceMinor, grossMinor);
  // The version makes the key new for a subscription whose cancellation was taken back.
  const once = `renewal:${subscriptionId}:${currentPeriodEnd.toISOString()}:${subscription.version}`;
  const now = ctx.clock.now();
  const row = newOrder({
    ...price,
    id: newId('ord', ctx.clock),
    accountId,
    offerId: once,
    idempotencyKey: once,
    method,
    title,
    kind: 'RENEWAL',
    currency,
    seller,
    fulfil: {},
    creditMinor,
    totalMinor: grossMinor - creditMinor,
    subscriptionId,
    periodStart: currentPeriodEnd,
    periodEnd: periodEndAfter(anchorAt, currentPeriodEnd, intervalCount),
    placedAt: now,
    expiresAt: after(now, payableDays(ctx.providers.dunning) * DAY),
  });
  const order = await insertOrder(ctx.em, row);
  await noteRenewalTax(ctx, order, position, subscription.orderId);
  await announceOrder(ctx, order, 'order.placed');
  await holdCredit(ctx, order);
  return order;
}
