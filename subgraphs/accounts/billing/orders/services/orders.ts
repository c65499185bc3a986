// What happens to a placed order until whoever sold it has delivered it.
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { accountOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { next } from '#platform/lifecycle.ts';
import { ORDER_LIFECYCLE, type OrderEvent } from '../domain/order-lifecycle.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import type { Order } from '../entities/order.ts';
import { existingOrder, lockOrder, orderOfOwner } from '../entities/order.ts';
import { closedCheckouts, noteOpened } from '../../payments/entities/crypto-checkout.ts';
import { methodOf, processorOf } from '../../payments/providers/payment-methods.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import { actorOf, writeActivity } from '../../../identity/services/activity.ts';
import { customerOf } from '../../payments/services/processor-customer.ts';
import { releaseCredit } from './hold-credit.ts';

/** Every event of an order; a live page follows these. */
export const ORDER_EVENTS = [
  'order.placed',
  'order.stock_held',
  'order.opened',
  'order.payment_seen',
  'order.paid',
  'order.held',
  'order.fulfilled',
  'order.cancelled',
  'order.expired',
  'order.refunded',
  'order.withdrawn',
] as const;

/** What people read of an order in their account's activity; the rest is between machines. */
const SHOWN_TO_PEOPLE: ReadonlySet<string> = new Set([
  'order.placed',
  'order.paid',
  'order.held',
  'order.cancelled',
  'order.refunded',
  'order.withdrawn',
]);

type OrderFact = (typeof ORDER_EVENTS)[number];
/** What a fact says beyond what every fact of an order says. */
type More<Type extends OrderFact> = Omit<NonNullable<NewEvent<Type>['data']>, 'seller' | 'fulfil' | 'expiresAt'>;

/**
 * Each says to the seller what it is about. `order.placed` says in `hold` how to hold stock for it, where that is wanted; the seller frees it when
 * the order is given up. A renewal names no seller: there is nothing to hold or to deliver.
 */
export async function announceOrder<Type extends OrderFact>(
  ctx: PaymentsContext,
  {
    id: subject,
    accountId,
    title,
    seller,
    fulfil,
    expiresAt,
    kind,
  }: Pick<Order, 'id' | 'accountId' | 'title' | 'seller' | 'fulfil' | 'expiresAt' | 'kind'>,
  type: Type,
  ...[more]: Record<never, never> extends More<Type> ? [more?: More<Type>] : [more: More<Type>]
): Promise<void> {
  const event = { type, at: ctx.clock.now(), accountId, subject };
  const sold = kind === 'RENEWAL' ? {} : { seller, fulfil };
  // That `more` belongs to `type` is known to the caller, and checked when it is appended.
  await appendEvents(ctx.em, { ...event, data: { ...sold, expiresAt: expiresAt.toISOString(), ...more } } as NewEvent<OrderFact>);
  if (SHOWN_TO_PEOPLE.has(type)) await writeActivity(ctx, { ...event, data: { title } }, actorOf(ctx.viewer, accountId));
}

/** Moves an order in place; false when the event means nothing in its state (a late or repeated one). The caller holds its lock. */
export function moveOrder(order: Order, event: OrderEvent): boolean {
  const to = next(ORDER_LIFECYCLE, order.status, event);
  if (to === undefined) return false;
  order.status = to;
  return true;
}

/** Whether its seller has still to say that it holds stock for it: until then nobody is asked to pay. */
export const isAskingForStock = ({ hold }: Pick<Order, 'hold'>): boolean => hold === 'ASKED' || hold === 'LATE';

/** Opens the processor's checkout for a placed order, after its commit; asked again it gives the same one. */
export async function openCheckout(ctx: PaymentsContext, orderId: string): Promise<Order> {
  const em = ctx.em.fork();
  const order = await existingOrder(em, orderId);
  const method = methodOf(order.method);
  // A renewal that is charged is paid by the processor's own invoice of it, and so is an automatic order.
  const hasNone = method.opens !== 'PAGE' || order.automatic || (order.kind === 'RENEWAL' && method.renewal === 'CHARGED');
  if (order.status !== 'PENDING' || order.checkoutUrl || order.checkoutId || hasNone || isAskingForStock(order)) return order;
  const account = await existingAccount(em, order.accountId);
  // A processor that did not answer at first has not used up the time to pay.
  const expiresAt = laterOf(order.expiresAt, after(ctx.clock.now(), method.opensForMs ?? 0));
  const page = `${ctx.providers.publicUrl}/orders/${order.id}`;
  const checkout = await processorOf(ctx.providers, order.method).begin({
    orderId: order.id,
    attempt: method.parts ? await closedCheckouts(ctx.em.fork(), orderId) : 0,
    email: account.email ?? undefined,
    language: account.language,
    title: order.title,
    lines: linesToPay(order),
    amountMinor: order.totalMinor,
    currency: order.currency,
    placedAt: order.placedAt,
    expiresAt,
    successUrl: `${page}?paid=1`,
    cancelUrl: `${page}?cancelled=1`,
    // What recurs is charged to the same card later.
    customerId:
      method.renewal === 'CHARGED' && order.subscription ? (await customerOf(ctx, order.method, order.accountId)).processorId : undefined,
  });
  return inTransaction({ ...ctx, em }, async (tx) => {
    const locked = await lockOrder(tx.em, orderId);
    if (!locked) throw fail('order_not_found');
    // Credit has paid a part in the meantime: nobody is to pay the whole there.
    const isOutdated = locked.totalMinor !== order.totalMinor;
    if (method.parts && (isOutdated || !locked.checkoutId)) {
      const openedAt = ctx.clock.now();
      const watchedUntil = after(openedAt, method.validMs + method.parts.watchedMs);
      await noteOpened(tx.em, { id: checkout.id, orderId, openedAt, watchedUntil, closedAt: isOutdated ? openedAt : null });
    }
    if (isOutdated) await closeLater(tx, { checkoutId: checkout.id, method: locked.method });
    else if (!locked.checkoutId) {
      locked.checkoutId = checkout.id;
      locked.checkoutUrl = checkout.url;
      locked.expiresAt = laterOf(locked.expiresAt, expiresAt);
      if (locked.status === 'PENDING') await announceOrder(tx, locked, 'order.opened');
      // Given up in the meantime: nobody is to pay it any more.
      else await closeLater(tx, locked);
    }
    return locked;
  });
}

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other);

/**
 * Opens the checkout of an order that waits for its payment and has none open: a renewal by coins, whose rate is given when its owner wants to pay,
 * and anew when the hour is over; an order by card for which the processor opened none when it was placed. Errors: order_not_found,
 * order_not_pending, crypto_not_available, paypal_not_available.
 */
export async function openOwnCheckout(ctx: PaymentsContext, id: string): Promise<Order> {
  const order = await orderOfOwner(ctx.em, id, accountOf(ctx));
  if (!order) throw fail('order_not_found');
  if (order.status !== 'PENDING') throw fail('order_not_pending');
  return openCheckout(ctx, id);
}

/** The processor takes no negative line: an order that credit pays for in part, or a coupon, is one line there, of what is left. */
function linesToPay({ lines, title, taxMinor, creditMinor, discountMinor, totalMinor }: Order): { label: string; amountMinor: number }[] {
  if (creditMinor > 0) return [{ label: `${title}, after account credit`, amountMinor: totalMinor }];
  if (discountMinor > 0) return [{ label: `${title}, after coupon`, amountMinor: totalMinor }];
  return [...lines, ...(taxMinor > 0 ? [{ label: 'Tax', amountMinor: taxMinor }] : [])];
}

/** An automatic order is charged after the commit, to the account's default means where none are named. */
export const chargeLater = (ctx: PaymentsContext, { id: orderId }: Pick<Order, 'id'>, meansId?: string): Promise<void> =>
  ctx.jobs.enqueue(ctx.em, 'accounts.top-up-charge', { orderId, ...(meansId !== undefined && { meansId }) });

/** Nobody is to pay its checkout any more, if it has one: the processor is asked after the commit. */
export async function closeLater(ctx: PaymentsContext, { checkoutId, method }: Pick<Order, 'checkoutId' | 'method'>): Promise<void> {
  if (checkoutId) await ctx.jobs.enqueue(ctx.em, 'accounts.checkout-close', { checkoutId, method });
}

/** A renewal is given up with its subscription. Throws `action_not_allowed`. */
export function checkCancel({ kind }: Order): void {
  if (kind === 'RENEWAL') throw fail('action_not_allowed', { reason: because('order_renews') });
}

/** Errors: order_not_found, order_not_pending, action_not_allowed. Money that arrives all the same is not lost: the order is then paid. */
export async function cancelOrder(ctx: PaymentsContext, id: string): Promise<Order> {
  const accountId = accountOf(ctx);
  const order = await inTransaction(ctx, async (tx) => {
    const locked = await lockOrder(tx.em, id);
    if (!locked || locked.accountId !== accountId) throw fail('order_not_found');
    checkCancel(locked);
    if (!(await giveUp(tx, locked))) throw fail('order_not_pending');
    return locked;
  });
  return order;
}

/** Nobody is to pay an order any more; false when none waits for it. The caller holds its lock. */
export async function giveUp(ctx: PaymentsContext, order: Order): Promise<boolean> {
  if (!moveOrder(order, 'cancelled')) return false;
  await announceOrder(ctx, order, 'order.cancelled');
  await closeLater(ctx, order);
  // Its checkout was never to be opened.
  if (isAskingForStock(order)) await releaseCredit(ctx, order);
  return true;
}
