// Payments. A notice is stored and answered; what moves an order is the processor's present state, fetched anew and applied under the order's lock.
import { MINUTE, after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import type { Complete } from '#shared/jobs.ts';
import { InboxNotice } from '../entities/inbox-notice.ts';
import { Order, lockOrder } from '../entities/order.ts';
import type { CheckoutState } from '../providers/card-processor.ts';
import type { Context } from '../providers.ts';
import { ordersToClose, releaseCredit, releaseWithoutCheckout } from './hold-credit.ts';
import { announceOrder, moveOrder, openCheckout } from './orders.ts';
import { payOrder } from './pay-order.ts';

const PROCESSOR = 'card';

/** Errors: signature_invalid. Stored once whatever is repeated, acted on after the answer. */
export async function receiveNotice(
  ctx: Context,
  input: { source: string; body: string; signature: string },
): Promise<{ stored: boolean }> {
  if (input.source !== PROCESSOR) throw fail('route_not_found');
  const notice = ctx.providers.cards.readNotice(input.body, input.signature);
  if (!notice) return { stored: false };
  return inTransaction(ctx, async (tx) => {
    const { affectedRows } = await tx.em
      .qb(InboxNotice)
      .insert({
        source: PROCESSOR,
        noticeId: notice.id,
        type: notice.type,
        objectId: notice.objectId,
        receivedAt: ctx.clock.now(),
        processedAt: null,
      })
      .onConflict()
      .ignore()
      .execute('run');
    if (affectedRows !== 1) return { stored: false };
    await tx.jobs.enqueue(tx.em, 'accounts.notice-process', { source: PROCESSOR, noticeId: notice.id });
    return { stored: true };
  });
}

export async function processNotice(ctx: Context, id: { source: string; noticeId: string }, complete?: Complete): Promise<void> {
  const notice = await ctx.em.findOne(InboxNotice, id);
  if (!notice || notice.processedAt) return;
  const state = await ctx.providers.cards.checkout(notice.objectId);
  await inTransaction(ctx, async (tx) => {
    await applyCheckout(tx, state);
    await tx.em.nativeUpdate(InboxNotice, id, { processedAt: ctx.clock.now() });
    await complete?.(tx.em);
  });
}

/** Brings an order to what the processor says. In the caller's transaction; repeated, late and crossing calls change nothing more. */
async function applyCheckout(ctx: Context, state: CheckoutState): Promise<void> {
  const order = await lockOrder(ctx.em, state.orderId);
  if (!order || (order.checkoutId !== null && order.checkoutId !== state.id)) {
    ctx.log.warn({ checkout: state.id, order: state.orderId }, 'a checkout that belongs to no order of ours');
    return;
  }
  if (state.status !== 'open') order.checkoutClosedAt ??= ctx.clock.now();
  if (state.status === 'expired') {
    if (moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
    await releaseCredit(ctx, order);
  }
  if (state.status !== 'paid') return;
  if (state.amountMinor !== order.totalMinor || state.currency !== order.currency)
    throw new Error(
      `checkout ${state.id} took ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await payOrder(ctx, order, { processor: PROCESSOR, processorId: state.paymentId ?? state.id });
}

/** How long a notice may take before we ask ourselves. */
const NOTICE_GRACE_MS = 2 * MINUTE;
const AT_ONCE = 200;

/** Finds what never arrived: checkouts that were never opened, notices never sent, orders whose time is over. */
export async function reconcileOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const pending = await ctx.em.find(
    Order,
    { status: 'PENDING', placedAt: { $lt: after(now, -NOTICE_GRACE_MS) } },
    { orderBy: { placedAt: 'asc' }, limit: AT_ONCE, fields: ['id', 'checkoutId', 'expiresAt'] },
  );
  for (const order of pending)
    try {
      await reconcileOrder(ctx, order, order.expiresAt <= now);
    } catch (error) {
      // One order's trouble must not keep the others from being looked at; it is tried again at the next run.
      ctx.log.error({ order: order.id, error: String(error) }, 'an order could not be reconciled');
    }
}

/** Brings one order to what the processor says now, in whatever state it is: support's look. */
export const settleOrder = (ctx: Context, order: Order): Promise<void> =>
  order.checkoutId && order.status !== 'PENDING'
    ? applyNow(ctx, order.checkoutId)
    : reconcileOrder(ctx, order, order.expiresAt <= ctx.clock.now());

async function reconcileOrder(ctx: Context, { id, checkoutId }: Pick<Order, 'id' | 'checkoutId'>, over: boolean): Promise<void> {
  if (checkoutId && over) return closeCheckout(ctx, checkoutId);
  if (checkoutId) return applyNow(ctx, checkoutId);
  if (!over) return void (await openCheckout(ctx, id));
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const order = await lockOrder(tx.em, id);
    if (!order || order.checkoutId || !moveOrder(order, 'expired')) return;
    await announceOrder(tx, order, 'order.expired');
    await releaseCredit(tx, order);
  });
}

/** Closes a checkout that nobody is to pay any more. One that was paid in the meantime is a payment like any other. */
export async function closeCheckout(ctx: Context, checkoutId: string): Promise<void> {
  await ctx.providers.cards.closeCheckout(checkoutId);
  await applyNow(ctx, checkoutId);
}

async function applyNow(ctx: Context, checkoutId: string): Promise<void> {
  const state = await ctx.providers.cards.checkout(checkoutId);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyCheckout(tx, state));
}

/** Closes the checkouts of orders that are over and gives back their credit, whatever became of their notices and jobs. */
export async function closeOrders(ctx: Context): Promise<void> {
  for (const { id, checkoutId } of await ordersToClose(ctx))
    try {
      await (checkoutId ? closeCheckout(ctx, checkoutId) : releaseWithoutCheckout(ctx, id));
    } catch (error) {
      ctx.log.error({ order: id, error: String(error) }, 'an order that is over could not be closed');
    }
}

/** Notices whose job was lost are enqueued again. */
export async function resumeNotices(ctx: Context): Promise<void> {
  const waiting = await ctx.em.find(
    InboxNotice,
    { processedAt: null, receivedAt: { $lt: after(ctx.clock.now(), -NOTICE_GRACE_MS) } },
    { limit: AT_ONCE },
  );
  for (const { source, noticeId } of waiting)
    await ctx.jobs.enqueue(ctx.em, 'accounts.notice-process', { source, noticeId }, { key: noticeId });
}
