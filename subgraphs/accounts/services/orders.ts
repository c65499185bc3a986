// What happens to a placed order until whoever sold it has delivered it.
import { inTransaction } from '#shared/database.ts';
import { accountOf } from '#shared/context.ts';
import { fail } from '#shared/errors.ts';
import { type LoggedEvent, appendEvents } from '#shared/events.ts';
import { next } from '#shared/lifecycle.ts';
import { ORDER_LIFECYCLE, type OrderEvent } from '../domain/order-lifecycle.ts';
import { Account } from '../entities/account.ts';
import { Order, lockOrder } from '../entities/order.ts';
import type { Context } from '../providers.ts';
import { actorOf, writeActivity } from './activity.ts';

/** Every event of an order; a live page follows these. */
export const ORDER_EVENTS = [
  'order.placed',
  'order.opened',
  'order.paid',
  'order.fulfilled',
  'order.cancelled',
  'order.expired',
  'order.refunded',
] as const;

/** What people read of an order in their account's activity; the rest is between machines. */
const DEEDS: ReadonlySet<string> = new Set(['order.placed', 'order.paid', 'order.cancelled', 'order.refunded']);

export async function announceOrder(
  ctx: Context,
  { id: subject, accountId, title }: Pick<Order, 'id' | 'accountId' | 'title'>,
  type: (typeof ORDER_EVENTS)[number],
  data: Record<string, unknown> = {},
): Promise<void> {
  const event = { type, at: ctx.clock.now(), accountId, subject, data };
  await appendEvents(ctx.em, event);
  if (DEEDS.has(type)) await writeActivity(ctx, { ...event, data: { title } }, actorOf(ctx.viewer, accountId));
}

/** Moves an order in place; false when the event means nothing in its state (a late or repeated one). The caller holds its lock. */
export function moveOrder(order: Order, event: OrderEvent): boolean {
  const to = next(ORDER_LIFECYCLE, order.status, event);
  if (to === undefined) return false;
  order.status = to;
  return true;
}

/** Opens the processor's checkout for a placed order, after its commit; asked again it gives the same one. */
export async function openCheckout(ctx: Context, orderId: string): Promise<Order> {
  const em = ctx.em.fork();
  const order = await em.findOneOrFail(Order, { id: orderId });
  if (order.status !== 'PENDING' || order.checkoutUrl || order.method !== 'CARD') return order;
  const account = await em.findOneOrFail(Account, { id: order.accountId });
  const page = `${ctx.providers.publicUrl}/orders/${order.id}`;
  const checkout = await ctx.providers.cards.openCheckout({
    orderId: order.id,
    email: account.email ?? undefined,
    title: order.title,
    lines: linesToPay(order),
    currency: order.currency,
    expiresAt: order.expiresAt,
    successUrl: `${page}?paid=1`,
    cancelUrl: `${page}?cancelled=1`,
  });
  return inTransaction({ ...ctx, em }, async (tx) => {
    const locked = await lockOrder(tx.em, orderId);
    if (!locked) throw fail('order_not_found');
    if (!locked.checkoutId) {
      locked.checkoutId = checkout.id;
      locked.checkoutUrl = checkout.url;
      if (locked.status === 'PENDING') await announceOrder(tx, locked, 'order.opened');
      // Given up in the meantime: nobody is to pay it any more.
      else await tx.jobs.enqueue(tx.em, 'accounts.checkout-close', { checkoutId: checkout.id });
    }
    return locked;
  });
}

/** The processor takes no negative line: an order that credit pays for in part is one line there, of what is left. */
function linesToPay({ lines, title, taxMinor, creditMinor, totalMinor }: Order): { label: string; amountMinor: number }[] {
  if (creditMinor > 0) return [{ label: `${title}, after account credit`, amountMinor: totalMinor }];
  return [...lines, ...(taxMinor > 0 ? [{ label: 'Tax', amountMinor: taxMinor }] : [])];
}

/** Errors: order_not_found, order_not_pending. Money that arrives all the same is not lost: the order is then paid. */
export async function cancelOrder(ctx: Context, id: string): Promise<Order> {
  const accountId = accountOf(ctx);
  const order = await inTransaction(ctx, async (tx) => {
    const locked = await lockOrder(tx.em, id);
    if (!locked || locked.accountId !== accountId) throw fail('order_not_found');
    if (!moveOrder(locked, 'cancelled')) throw fail('order_not_pending');
    await announceOrder(tx, locked, 'order.cancelled');
    if (locked.checkoutId) await tx.jobs.enqueue(tx.em, 'accounts.checkout-close', { checkoutId: locked.checkoutId });
    return locked;
  });
  return order;
}

/** Reaction to a delivery of any subgraph: its event's data is { orderId, ... } and its subject what was delivered. */
export async function markDelivered(ctx: Context, event: LoggedEvent): Promise<void> {
  const { orderId } = event.data as { orderId?: string };
  const order = orderId ? await lockOrder(ctx.em, orderId) : null;
  if (!order || !moveOrder(order, 'delivered')) return;
  order.fulfilledAt = ctx.clock.now();
  order.resourceId = event.subject;
  await announceOrder(ctx, order, 'order.fulfilled', { resourceId: event.subject });
}
