// Orders: a signed offer becomes an order at exactly its price; the order is delivered by whoever sold it.
import { inTransaction } from '#shared/database.ts';
import { accountOf } from '#shared/context.ts';
import { after } from '#shared/clock.ts';
import { fail } from '#shared/errors.ts';
import { type LoggedEvent, appendEvents } from '#shared/events.ts';
import { newId } from '#shared/ids.ts';
import { next } from '#shared/lifecycle.ts';
import { openOffer } from '#shared/offers.ts';
import { ORDER_LIFECYCLE, type OrderEvent } from '../domain/order-lifecycle.ts';
import { Account } from '../entities/account.ts';
import { Order, lockOrder } from '../entities/order.ts';
import { CHECKOUT_VALID_MS } from '../providers/card-processor.ts';
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

/** Errors: offer_invalid, offer_expired, idempotency_conflict. The same key with the same offer gives the same order. */
export async function placeOrder(ctx: Context, input: { offer: string; method: 'CARD'; idempotencyKey: string }): Promise<Order> {
  const accountId = accountOf(ctx);
  if (input.idempotencyKey.length < 8 || input.idempotencyKey.length > 255)
    throw fail('parameter_invalid', { field: 'idempotencyKey', reason: 'idempotencyKey must have 8 to 255 characters.' });
  const earlier = await ctx.em.findOne(Order, { accountId, idempotencyKey: input.idempotencyKey });
  if (!earlier) {
    const terms = openOffer(input.offer, accountId, ctx.providers.secrets.offers, ctx.clock);
    const now = ctx.clock.now();
    const row = {
      id: newId('ord', ctx.clock),
      accountId,
      offerId: terms.id,
      idempotencyKey: input.idempotencyKey,
      status: 'PENDING' as const,
      method: input.method,
      title: terms.title,
      lines: terms.lines,
      currency: terms.currency,
      subtotalMinor: terms.subtotalMinor,
      taxMinor: terms.taxMinor,
      totalMinor: terms.totalMinor,
      seller: terms.seller,
      fulfil: terms.fulfil,
      checkoutId: null,
      checkoutUrl: null,
      placedAt: now,
      expiresAt: after(now, CHECKOUT_VALID_MS),
      paidAt: null,
      fulfilledAt: null,
      resourceId: null,
    };
    await inTransaction(ctx, async (tx) => {
      // Of several at once one inserts; the others find it below.
      const placed = await tx.em.qb(Order).insert(row).onConflict().ignore().execute('run');
      if (placed.affectedRows === 1) await announceOrder(tx, row as Order, 'order.placed');
    });
  }
  const order = await ctx.em.fork().findOne(Order, { accountId, idempotencyKey: input.idempotencyKey });
  // Another key had taken the offer: an offer sells once.
  if (!order) throw fail('offer_invalid', { reason: 'This offer has been ordered already.' });
  if (openedOffer(input.offer) !== order.offerId) throw fail('idempotency_conflict', { field: 'idempotencyKey' });
  return order.checkoutUrl || order.status !== 'PENDING' ? order : openCheckout(ctx, order.id);
}

/** The id inside an offer whose signature was checked when its order was placed, or will not match. */
function openedOffer(token: string): string | undefined {
  try {
    return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { id?: string }).id;
  } catch {
    return undefined;
  }
}

/** Opens the processor's checkout for a placed order, after its commit; asked again it gives the same one. */
export async function openCheckout(ctx: Context, orderId: string): Promise<Order> {
  const em = ctx.em.fork();
  const order = await em.findOneOrFail(Order, { id: orderId });
  if (order.status !== 'PENDING' || order.checkoutUrl) return order;
  const account = await em.findOneOrFail(Account, { id: order.accountId });
  const lines = [...order.lines, ...(order.taxMinor > 0 ? [{ label: 'Tax', amountMinor: order.taxMinor }] : [])];
  const page = `${ctx.providers.publicUrl}/orders/${order.id}`;
  const checkout = await ctx.providers.cards.openCheckout({
    orderId: order.id,
    email: account.email ?? undefined,
    title: order.title,
    lines,
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
      await announceOrder(tx, locked, 'order.opened');
    }
    return locked;
  });
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
