// Uses account credit for unpaid renewals: whenever credit arrives, and before every attempt, warning, suspension and removal. It reduces what is left to pay;
// a renewal that it covers completely is paid.
import { inTransaction } from '#platform/database.ts';
import { creditToUse } from '../../ledger/domain/account-credit.ts';
import { creditOfAccount, lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Order, orderWithId } from '../../orders/entities/order.ts';
import { subscriptionWithId, waitingRenewals } from '../../subscriptions/entities/billing-subscription.ts';
import { chargesOf, processorOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { holdMore } from '../../orders/services/hold-credit.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';
import { closeCheckout } from '../../incoming-payments/services/settle-orders.ts';
import { applyCharge } from './attempt-renewal.ts';
import { lockRenewal } from '../../subscriptions/services/renew-subscription.ts';

/** Uses an account's credit for its unpaid renewals, the one that has waited longest first. Safe to repeat. */
export async function spendCredit(ctx: SubscriptionsContext, accountId: string): Promise<void> {
  for (const id of await waitingRenewals(ctx.em.fork(), accountId)) await coverRenewal(ctx, id);
}

/** Uses credit for one renewal; returns whether that has paid all of it. */
export async function coverRenewal(ctx: SubscriptionsContext, id: string): Promise<boolean> {
  const em = ctx.em.fork();
  const subscription = await subscriptionWithId(em, id);
  const order = subscription?.renewalOrderId ? await orderWithId(em, subscription.renewalOrderId) : null;
  if (order?.status !== 'PENDING') return false;
  const { accountId, currency, chargeId } = order;
  if (creditToUse(await creditOfAccount(em, accountId, currency), order.totalMinor) === 0) return false;
  if (!(await stopAsking(ctx, order))) return false;
  return inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const balance = await lockCreditOfAccount(tx.em, accountId, currency);
    const { renewal } = await lockRenewal(tx, id);
    // Somebody has begun to pay it meanwhile; the next call will look at it again.
    if (renewal?.id !== order.id || renewal.status !== 'PENDING' || renewal.checkoutId) return false;
    if (renewal.chargeId && renewal.chargeId !== chargeId) return false;
    Object.assign(renewal, { chargeId: null, checkoutUrl: null });
    await holdMore(tx, renewal, creditToUse(balance, renewal.totalMinor));
    if (renewal.totalMinor === 0) return payOrder(tx, renewal);
    await announceOrder(tx, renewal, 'order.payment_seen');
    return false;
  });
}

/**
 * Makes sure that nobody can pay what was asked for, so that no money comes twice: voids the charge, and closes the checkout. False when it was paid first, or
 * money is on its way.
 */
export async function stopAsking(ctx: SubscriptionsContext, { chargeId, checkoutId, method }: Order): Promise<boolean> {
  if (chargeId) {
    const state = await chargesOf(ctx.providers, method).giveUp(chargeId);
    await applyCharge(ctx, state);
    if (state.status === 'paid' || state.status === 'pending') return false;
  }
  if (!checkoutId) return true;
  const seen = await processorOf(ctx.providers, method).lookUp(checkoutId);
  if (seen?.arrived && seen.arrived.seenMinor > 0) return false;
  await closeCheckout(ctx, { checkoutId, method });
  return true;
}
