// Orders whose webhook never came: the processor's present state is fetched and applied under the order's lock.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { type Order, lockOrder, markCompared, ordersToCompare } from '../../orders/entities/order.ts';
import { watchedCheckouts } from '../../payments/entities/crypto-checkout.ts';
import { FIRST_METHOD, methodOf, orderMethods, processorOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { applyNow } from './apply-payment.ts';
import { ordersToClose, releaseCredit, releaseWithoutCheckout } from '../../orders/services/hold-credit.ts';
import { announceOrder, moveOrder, openCheckout } from '../../orders/services/orders.ts';

/** The methods that open a checkout; bank transfers have none. */
const openingByThemselves = () => orderMethods().filter((name) => methodOf(name).opens === 'PAGE');

/** How long a webhook may take before we ask the processor, in milliseconds. */
const NOTICE_GRACE_MS = 2 * MINUTE;
const BATCH_SIZE = 200;

/** Finds checkouts that were never opened, webhooks that never came and orders that have expired. One batch per run, round robin. */
export async function reconcileOrders(ctx: SubscriptionsContext): Promise<void> {
  const now = ctx.clock.now();
  const placedBefore = after(now, -NOTICE_GRACE_MS);
  const pending = await ordersToCompare(ctx.em, { now, placedBefore, opening: openingByThemselves(), limit: BATCH_SIZE });
  // Marked before they are looked at, so that the next run takes other orders, whatever happens to these.
  const ids = pending.map(({ id }) => id);
  await markCompared(ctx.em, ids, now);
  for (const order of pending)
    try {
      await reconcileOrder(ctx, order, order.expiresAt <= now);
    } catch (error) {
      // An error of one order must not keep the others from being looked at; that order is tried again at the next run.
      ctx.log.error({ order: order.id, error: String(error) }, 'an order could not be reconciled');
    }
}

/** Brings an order of any status to the processor's present state; support asks for this. */
export const settleOrder = (ctx: SubscriptionsContext, order: Order): Promise<void> =>
  order.checkoutId && order.status !== 'PENDING'
    ? applyNow(ctx, order.method, order.checkoutId)
    : reconcileOrder(ctx, order, order.expiresAt <= ctx.clock.now());

async function reconcileOrder(
  ctx: SubscriptionsContext,
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

/** Closes a checkout that nobody may pay any more. Money that arrives all the same is booked like any other payment. */
export async function closeCheckout(
  ctx: SubscriptionsContext,
  { checkoutId, method = FIRST_METHOD }: { checkoutId: string; method?: PaymentMethod },
): Promise<void> {
  await processorOf(ctx.providers, method).close(checkoutId);
  await applyNow(ctx, method, checkoutId, { closed: true });
}

/** Closes the checkouts of orders that are over and releases their credit, in case their webhooks or jobs were lost. */
export async function closeOrders(ctx: SubscriptionsContext): Promise<void> {
  for await (const { id, method, checkoutId } of ordersToClose(ctx))
    try {
      await (checkoutId ? closeCheckout(ctx, { checkoutId, method }) : releaseWithoutCheckout(ctx, id));
    } catch (error) {
      ctx.log.error({ order: id, error: String(error) }, 'an order that is over could not be closed');
    }
}

/** Looks for late money whose webhook never came, at every checkout that is closed and still watched. */
export async function watchClosed(ctx: SubscriptionsContext): Promise<void> {
  for await (const { id, method } of watchedCheckouts(ctx.em.fork()))
    try {
      await applyNow(ctx, method, id);
    } catch (error) {
      ctx.log.error({ checkout: id, error: String(error) }, 'a closed checkout could not be looked at');
    }
}
