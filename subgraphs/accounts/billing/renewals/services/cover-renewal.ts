// Account credit for renewals that wait: looked at whenever some arrives, and before every attempt, warning, suspension and removal. What is left to pay
// falls; what is covered whole is renewed.
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

/** An account has credit: its renewals that wait are paid by it, the one that waits longest first. Safe to repeat. */
export async function spendCredit(ctx: SubscriptionsContext, accountId: string): Promise<void> {
  for (const id of await waitingRenewals(ctx.em.fork(), accountId)) await coverRenewal(ctx, id);
}

/** Whether credit has paid all that was left. */
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
    // Somebody has begun to pay it in the meantime: what asks for it now is looked at the next time.
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
 * Nobody is to pay what was asked for any more, so that no money comes twice: the charge is void, the checkout closed. False when it was paid first, or money
 * is on its way to it.
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
