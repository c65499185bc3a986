// Applies the state of a checkout at its processor to its order, under the order's lock. Repeated, late and crossing calls change nothing more.
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import { isPaidBy } from '../../payments/entities/payment.ts';
import { type Order, lockOrder, orderAtCheckout, orderWithId } from '../../orders/entities/order.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import { methodOf, processorOf } from '../../payments/providers/payment-methods.ts';
import type { PaymentState } from '../../payments/providers/payment-processor.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { payOrder } from './pay-order.ts';
import { applyArrived } from './arriving-payments.ts';
import { noteMeans } from '../../tax/services/order-tax.ts';
import { adoptMeans } from '../../subscriptions/services/saved-means.ts';

/** Brings the order of a checkout to the processor's present state. `closed`: nobody may pay it any more. */
export async function applyNow(ctx: SubscriptionsContext, name: MethodName, checkoutId: string, { closed = false } = {}): Promise<void> {
  const { lookUp, take } = processorOf(ctx.providers, name);
  const found = (await lookUp(checkoutId)) ?? (await forgotten(ctx, checkoutId));
  if (!found) return;
  // With a processor that takes money only when we capture it, a closed checkout has ended.
  const isOver = closed && take && (found.status === 'pending' || found.status === 'agreed');
  const state = isOver ? { ...found, status: 'failed' as const } : await takenIfAgreed(ctx, name, found);
  if (state) await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyPayment(tx, methodOf(name), state));
}

/** The state of a checkout that its processor has deleted: it cannot be paid any more. */
async function forgotten(ctx: SubscriptionsContext, checkoutId: string): Promise<PaymentState | undefined> {
  const order = await orderAtCheckout(ctx.em.fork(), checkoutId);
  if (!order) return undefined;
  const { id: orderId, totalMinor: amountMinor, currency } = order;
  const nothing = { paymentId: undefined, meansId: undefined, arrived: undefined };
  return { id: checkoutId, orderId, status: 'failed', amountMinor, currency, ...nothing };
}

/** Captures a payment that its payer has agreed to, while the order waits for it; never for an order that is over. */
export async function takenIfAgreed(ctx: SubscriptionsContext, name: MethodName, state: PaymentState): Promise<PaymentState | undefined> {
  const { take } = processorOf(ctx.providers, name);
  if (state.status !== 'agreed' || !take) return state;
  const order = await orderWithId(ctx.em.fork(), state.orderId);
  const waits = order?.status === 'PENDING' && order.checkoutId === state.id && order.totalMinor === state.amountMinor;
  return waits ? take(state.id) : state;
}

/** The same in the caller's transaction. */
export async function applyPayment(ctx: SubscriptionsContext, method: MethodDefinition, state: PaymentState): Promise<void> {
  const order = await lockOrder(ctx.em, state.orderId);
  if (order && (await isTakenBack(ctx, method, order, state)))
    ctx.log.error({ order: order.id, checkout: state.id, status: state.status }, 'a payment is disputed, or failed after it was paid');
  if (state.status === 'disputed' || state.status === 'agreed') return;
  if (order && state.status === 'confirming' && !method.parts) return awaitPromised(ctx, method, order, state);
  await (method.parts ? applyArrived(ctx, method, order, state) : applyWhole(ctx, method, order, state));
}

/** Whether the payment of a paid order is in doubt or gone. The books stay as they are, and a person decides. */
const isTakenBack = async (
  ctx: SubscriptionsContext,
  { processor }: MethodDefinition,
  order: Order,
  { id, status, paymentId }: PaymentState,
) => status === 'disputed' || (status === 'failed' && Boolean(order.paidAt) && (await isPaidBy(ctx.em, processor, paymentId ?? id)));

/**
 * The whole amount is promised and arrives days later: the order waits, with its stock and credit, up to the method's limit. Then its stock is released; its
 * credit stays held until the processor knows what became of the money.
 */
async function awaitPromised(
  ctx: SubscriptionsContext,
  { promisedMs = 0 }: MethodDefinition,
  order: Order,
  { id }: PaymentState,
): Promise<void> {
  if (order.status !== 'PENDING' || order.checkoutId !== id) return;
  const now = ctx.clock.now();
  const until = after(order.placedAt, promisedMs);
  if (order.checkoutUrl !== null) {
    order.checkoutUrl = null;
    order.expiresAt = until;
    await announceOrder(ctx, order, 'order.payment_seen');
  } else if (until <= now && moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
}

/** Applies a checkout that is paid at once and completely, or not at all. */
async function applyWhole(
  ctx: SubscriptionsContext,
  { processor }: MethodDefinition,
  order: Order | null,
  state: PaymentState,
): Promise<void> {
  if (!order || (order.checkoutId !== null && order.checkoutId !== state.id)) {
    ctx.log.warn({ checkout: state.id, order: state.orderId }, 'a checkout that belongs to no order of ours');
    return;
  }
  if (state.status === 'paid' || state.status === 'failed') order.checkoutClosedAt ??= ctx.clock.now();
  if (state.status === 'failed') {
    if (moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
    await releaseCredit(ctx, order);
  }
  if (state.status !== 'paid') return;
  if (state.amountMinor !== order.totalMinor || state.currency !== order.currency)
    throw new Error(
      `checkout ${state.id} took ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await noteMeans(ctx, order.id, state.meansCountry);
  const { paymentId: processorId = state.id, meansId, meansCountry } = state;
  await payOrder(ctx, order, { processor, processorId, meansId, meansCountry });
  if (state.meansId) await adoptMeans(ctx, order.method, order.accountId, state.meansId);
}
