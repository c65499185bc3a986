import { DAY, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { creditToUse } from '../../ledger/domain/account-credit.ts';
import { ASKED_DAYS_BEFORE, GRACE_DAYS, RETRY_DAYS, stepAt } from '../domain/dunning.ts';
import { onAsked } from '../domain/renewal.ts';
import { periodEndAfter } from '../domain/subscription.ts';
import { type BillingSubscription, lockSubscription } from '../entities/billing-subscription.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Order, insertOrder, newOrder } from '../../orders/entities/order.ts';
import { isCharged, methodOf } from '../../payments/providers/payment-methods.ts';
import type { Context } from '../../../context.ts';
import { askForTransfer } from '../../payments/services/bank-transfer.ts';
import { holdCredit } from '../../ledger/services/hold-credit.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { priceRenewal, notifyRenewal } from './renew-subscription.ts';
import { applyOutcome, renewingOf } from './subscriptions.ts';

/** Until when a renewal can be paid: the retries, the grace period, and a few days for what is late. */
const PAYABLE_DAYS = ASKED_DAYS_BEFORE + (RETRY_DAYS.at(-1) ?? 0) + GRACE_DAYS + 7;

/** Asks for the next period, once, whoever asks at the same moment. Account credit pays first; what it pays whole is renewed at once. */
export const askForRenewal = (ctx: Context, { id, accountId, currency }: BillingSubscription): Promise<boolean> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const balance = await lockCreditOfAccount(tx.em, accountId, currency);
    const subscription = await lockSubscription(tx.em, id);
    const now = ctx.clock.now();
    if (!subscription || stepAt(renewingOf(subscription), now) !== 'ask') return false;
    const order = await insertRenewal(tx, subscription, balance);
    subscription.renewalOrderId = order.id;
    await applyOutcome(tx, subscription, onAsked(renewingOf(subscription), now));
    await tx.em.flush();
    if (order.totalMinor === 0) await payOrder(tx, order);
    else if (!isCharged(order.method)) await notifyRenewal(tx, subscription, order);
    if (order.totalMinor > 0 && methodOf(order.method).opens === 'INSTRUCTIONS') await askForTransfer(tx, order);
    return true;
  });

async function insertRenewal(ctx: Context, subscription: BillingSubscription, balanceMinor: number): Promise<Order> {
  const { id: subscriptionId, accountId, currency, method, title, seller, currentPeriodEnd, anchorAt, intervalCount } = subscription;
  const { totalMinor: grossMinor, ...price } = await priceRenewal(ctx, subscription);
  const creditMinor = creditToUse(balanceMinor, grossMinor);
  // One that was cancelled and taken back is asked for anew.
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
    expiresAt: after(now, PAYABLE_DAYS * DAY),
  });
  const order = await insertOrder(ctx.em, row);
  await announceOrder(ctx, order, 'order.placed');
  await holdCredit(ctx, order);
  return order;
}
