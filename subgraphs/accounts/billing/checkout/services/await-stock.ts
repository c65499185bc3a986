// The seller's answer about the stock of an order. `order.placed` asks for it and it comes as an event; nobody is asked to pay before that, so that
// when two buyers want the last piece, one is refused at once and never charged.
import type { EventOf } from '#platform/events.ts';
import { fail, isReasonCode } from '#platform/errors.ts';
import type { HoldRefusal } from '#platform/holds.ts';
import { inTransaction } from '#platform/database.ts';
import type { Order } from '../../orders/entities/order.ts';
import { existingOrder, lockOrder } from '../../orders/entities/order.ts';
import type { CheckoutContext } from '../context.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { ORDER_EVENTS, announceOrder, chargeLater, isAskingForStock, moveOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../incoming-payments/services/pay-order.ts';

/** Reaction to a seller that holds stock for an order: it may be paid now, and is when the account's credit covers it. */
export async function takeHold(ctx: CheckoutContext, { data }: EventOf<'compute_stock.held' | 'static_stock.held'>): Promise<void> {
  const { orderId, until } = data;
  const order = await lockOrder(ctx.em, orderId);
  if (!order || order.status !== 'PENDING' || !isAskingForStock(order)) return;
  const late = order.hold === 'LATE';
  order.hold = 'HELD';
  order.holdExpiresAt = until;
  await announceOrder(ctx, order, 'order.stock_held');
  if (order.totalMinor === 0) await payOrder(ctx, order);
  else if (order.automatic) await chargeLater(ctx, order);
  else if (late) await ctx.jobs.enqueue(ctx.em, 'accounts.checkout-open', { orderId });
}

/** Reaction to a seller without stock: the order is over before anybody could pay it, and its credit is released at once. */
export async function refuseForStock(
  ctx: CheckoutContext,
  { data }: EventOf<'compute_stock.refused' | 'static_stock.refused'>,
): Promise<void> {
  const { orderId, ...refusal } = data;
  const order = await lockOrder(ctx.em, orderId);
  if (!order || order.status !== 'PENDING' || !isAskingForStock(order)) return;
  order.hold = 'REFUSED';
  order.holdRefusal = refusal;
  moveOrder(order, 'cancelled');
  await announceOrder(ctx, order, 'order.cancelled');
  await releaseCredit(ctx, order);
}

/** The error that the buyer of a refused order sees. */
export const refusalOf = ({ code, reason, reasonCode, params = {} }: HoldRefusal) =>
  fail(code, isReasonCode(reasonCode) ? { reason: { code: reasonCode, params } } : {}, reason);

/**
 * The order once its seller has answered. After `stockAnswerMs` the order is returned as it is, and its checkout opens by itself
 * when the answer comes. Without an answer the checkout stays shut, since the piece may be sold, and the order is not refused, since nothing is wrong
 * with it.
 */
export async function untilAnswered(ctx: CheckoutContext, orderId: string): Promise<Order> {
  const read = () => existingOrder(ctx.em.fork(), orderId);
  let wake = () => {};
  const stop = ctx.events.subscribe({ types: ORDER_EVENTS, subject: orderId }, () => wake());
  const over = AbortSignal.any([ctx.signal, AbortSignal.timeout(ctx.providers.stockAnswerMs)]);
  try {
    for (;;) {
      const moved = new Promise<void>((done) => (wake = done));
      // An answer that came before this listener is in the order's row already.
      const order = await read();
      if (order.status !== 'PENDING' || !isAskingForStock(order)) return order;
      if (over.aborted) break;
      const ended = new Promise<void>((done) => over.addEventListener('abort', () => done(), { once: true }));
      await Promise.race([moved, ended]);
    }
  } finally {
    stop();
  }
  return inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const order = await lockOrder(tx.em, orderId);
    if (!order) throw fail('order_not_found');
    if (order.hold === 'ASKED') order.hold = 'LATE';
    return order;
  });
}
