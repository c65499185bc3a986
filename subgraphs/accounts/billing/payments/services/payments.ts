// Payments. A notice is stored and answered; what moves an order is the processor's present state, fetched anew and applied under the order's lock.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { everyRow } from '#platform/every-row.ts';
import type { Complete } from '#platform/jobs.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import { InboxNotice } from '../../inbox/entities/inbox-notice.ts';
import { Order, lockOrder } from '../../orders/entities/order.ts';
import type { CheckoutState, Notice } from '../providers/card-processor.ts';
import type { Context } from '../../../providers.ts';
import { applyCrypto, applyCryptoNow, closeCrypto } from './crypto-payments.ts';
import { ordersToClose, releaseCredit, releaseWithoutCheckout } from '../../ledger/services/hold-credit.ts';
import { cryptoOf } from './open-crypto-checkout.ts';
import { announceOrder, moveOrder, openCheckout } from '../../orders/services/orders.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { settleInvoice } from '../../subscriptions/services/attempt-renewal.ts';
import { adoptCard } from './card-customer.ts';
import { stepLater } from '../../subscriptions/services/step-subscription.ts';

const PROCESSOR = 'card';

/** source -> who can tell a true notice of it from a forged one. */
function readNotice(
  { providers }: Context,
  { source, body, signature }: { source: string; body: string; signature: string },
): Notice | undefined {
  if (source === PROCESSOR) return providers.cards.readNotice(body, signature);
  if (source === 'crypto' && providers.crypto) return providers.crypto.readNotice(body, signature);
  throw fail('route_not_found');
}

/** Errors: signature_invalid. Stored once whatever is repeated, acted on after the answer. */
export async function receiveNotice(
  ctx: Context,
  input: { source: string; body: string; signature: string },
): Promise<{ stored: boolean }> {
  const { source } = input;
  const notice = readNotice(ctx, input);
  if (!notice) return { stored: false };
  return inTransaction(ctx, async (tx) => {
    const { affectedRows } = await tx.em
      .qb(InboxNotice)
      .insert({
        source,
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
    await tx.jobs.enqueue(tx.em, 'accounts.notice-process', { source, noticeId: notice.id });
    return { stored: true };
  });
}

export async function processNotice(ctx: Context, id: { source: string; noticeId: string }, complete?: Complete): Promise<void> {
  const notice = await ctx.em.findOne(InboxNotice, id);
  if (!notice || notice.processedAt) return;
  const apply = await lookAt(ctx, notice);
  await inTransaction(ctx, async (tx) => {
    await apply(tx);
    await tx.em.nativeUpdate(InboxNotice, id, { processedAt: ctx.clock.now() });
    await complete?.(tx.em);
  });
}

/** Asks the processor of a notice what holds now; the answer is applied in the caller's transaction. */
async function lookAt(
  ctx: Context,
  { source, type, objectId }: { source: string; type: string; objectId: string },
): Promise<(tx: Context) => Promise<void>> {
  if (source === 'crypto') {
    const state = await cryptoOf(ctx).checkout(objectId);
    return (tx) => applyCrypto(tx, state);
  }
  if (type.startsWith('invoice.')) return lookAtInvoice(ctx, { type, objectId });
  const state = await ctx.providers.cards.checkout(objectId);
  return (tx) => applyCheckout(tx, state);
}

/** An invoice that is made means that a period has ended: whatever is due for its subscription is done by its job. */
async function lookAtInvoice(
  ctx: Context,
  { type, objectId }: { type: string; objectId: string },
): Promise<(tx: Context) => Promise<void>> {
  if (type === 'invoice.deleted' || type === 'invoice.upcoming') return async () => {};
  const state = await ctx.providers.cardSubscriptions.invoice(objectId);
  return async (tx) => {
    await settleInvoice(tx, state);
    if (type === 'invoice.created' && state.subscriptionId) await stepLater(tx, state.subscriptionId);
  };
}

/** Brings an order to what the processor says. In the caller's transaction; repeated, late and crossing calls change nothing more. */
async function applyCheckout(ctx: Context, state: CheckoutState): Promise<void> {
  if (state.accountId) return void (state.cardId && (await adoptCard(ctx, state.accountId, state.cardId)));
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
  await payOrder(ctx, order, { processor: PROCESSOR, processorId: state.paymentId ?? state.id, cardId: state.cardId });
  if (state.cardId) await adoptCard(ctx, order.accountId, state.cardId);
}

/** Nobody transfers at a checkout, and that of a renewal opens when its owner wants it. */
const OPENS_BY_ITSELF = { kind: { $ne: 'RENEWAL' as const }, method: { $ne: 'BANK_TRANSFER' as const } };

/** How long a notice may take before we ask ourselves. */
const NOTICE_GRACE_MS = 2 * MINUTE;
const AT_ONCE = 200;

/** Finds what never arrived: checkouts that were never opened, notices never sent, orders whose time is over. So many at a time, in turn. */
export async function reconcileOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const pending = await ctx.em.find(
    Order,
    {
      status: 'PENDING',
      placedAt: { $lt: after(now, -NOTICE_GRACE_MS) },
      $or: [{ checkoutId: { $ne: null } }, { expiresAt: { $lte: now } }, OPENS_BY_ITSELF],
    },
    {
      orderBy: [{ comparedAt: 'asc nulls first' }, { placedAt: 'asc' }],
      limit: AT_ONCE,
      fields: ['id', 'kind', 'method', 'checkoutId', 'expiresAt'],
    },
  );
  // Whatever becomes of it: the others are next.
  await ctx.em.nativeUpdate(Order, { id: { $in: pending.map(({ id }) => id) } }, { comparedAt: now });
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
    ? applyNow(ctx, order.method, order.checkoutId)
    : reconcileOrder(ctx, order, order.expiresAt <= ctx.clock.now());

async function reconcileOrder(
  ctx: Context,
  { id, kind, method, checkoutId }: Pick<Order, 'id' | 'kind' | 'method' | 'checkoutId'>,
  over: boolean,
): Promise<void> {
  if (checkoutId && over) return closeCheckout(ctx, { checkoutId, method });
  if (checkoutId) return applyNow(ctx, method, checkoutId);
  if (!over) return void (kind === 'RENEWAL' || (await openCheckout(ctx, id)));
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const order = await lockOrder(tx.em, id);
    if (!order || order.checkoutId || !moveOrder(order, 'expired')) return;
    await announceOrder(tx, order, 'order.expired');
    await releaseCredit(tx, order);
  });
}

/** Closes a checkout that nobody is to pay any more. One that was paid in the meantime is a payment like any other. Jobs without a method are of cards. */
export async function closeCheckout(ctx: Context, { checkoutId, method }: { checkoutId: string; method?: PaymentMethod }): Promise<void> {
  if (method === 'CRYPTO') return closeCrypto(ctx, checkoutId);
  await ctx.providers.cards.closeCheckout(checkoutId);
  await applyNow(ctx, 'CARD', checkoutId);
}

async function applyNow(ctx: Context, method: PaymentMethod, checkoutId: string): Promise<void> {
  if (method === 'CRYPTO') return applyCryptoNow(ctx, checkoutId);
  const state = await ctx.providers.cards.checkout(checkoutId);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyCheckout(tx, state));
}

/** Closes the checkouts of orders that are over and gives back their credit, whatever became of their notices and jobs. */
export async function closeOrders(ctx: Context): Promise<void> {
  for await (const { id, method, checkoutId } of ordersToClose(ctx))
    try {
      await (checkoutId ? closeCheckout(ctx, { checkoutId, method }) : releaseWithoutCheckout(ctx, id));
    } catch (error) {
      ctx.log.error({ order: id, error: String(error) }, 'an order that is over could not be closed');
    }
}

/** Notices whose job was lost are enqueued again. */
export async function resumeNotices(ctx: Context): Promise<void> {
  const lost = { processedAt: null, receivedAt: { $lt: after(ctx.clock.now(), -NOTICE_GRACE_MS) } };
  const waiting = everyRow(async (behind, limit) => {
    const notices = await ctx.em.find(InboxNotice, { noticeId: { $gt: behind }, ...lost }, { orderBy: { noticeId: 'asc' }, limit });
    return notices.map(({ source, noticeId }) => ({ id: noticeId, source }));
  });
  for await (const { source, id: noticeId } of waiting)
    await ctx.jobs.enqueue(ctx.em, 'accounts.notice-process', { source, noticeId }, { key: noticeId });
}
