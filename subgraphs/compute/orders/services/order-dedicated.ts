// A dedicated server, from its price to the beginning of its provisioning.
import { z } from 'zod';
import { DAY, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { holdUntil, whyNotHold } from '#platform/holds.ts';
import { newId } from '#platform/ids.ts';
import { mustBeSold } from '#commerce/catalogue/shelf.ts';
import { atPricesOf } from '#commerce/account-prices/own-price.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import type { OrdersContext } from '../context.ts';
import { type DedicatedOrder, checkDedicatedOrder, dedicatedLines, dedicatedTitle } from '../domain/dedicated-order.ts';
import { DEDICATED_PLAN_CODES } from '../../catalogue/domain/dedicated-plan.ts';
import { OPERATING_SYSTEM_CODES } from '../../catalogue/domain/operating-system.ts';
import { stockOf } from '../../machines/entities/bare-metal.ts';
import {
  dropStaleHolds,
  freeStockOfOrder,
  hasHold,
  heldForUnpaid,
  holdForPaid,
  holdForUnpaid,
  lockStock,
} from '../../machines/entities/stock-hold.ts';
import { dedicatedPlan } from '../../catalogue/services/dedicated-plan.ts';
import { beginServer, hostnameOr, offerServer } from './order-server.ts';
import { planStock } from '../../machines/services/machine-inventory.ts';

/** The part `fulfil` of the signed offer. */
export const dedicatedFulfilment = z.object({
  kind: z.literal('dedicated'),
  offerId: z.string().min(1),
  plan: z.enum(DEDICATED_PLAN_CODES),
  months: z.union([z.literal(1), z.literal(3), z.literal(6)]),
  os: z.enum(OPERATING_SYSTEM_CODES),
  hostname: z.string().min(1).max(253),
  subscriptionId: z.string().min(1),
  /** Absent in offers of earlier releases. */
  pricedAt: z.iso.datetime().optional(),
});

/** How long a paid order keeps its hold at most, until it has a machine. */
const PAID_HOLD_MS = 4 * DAY;

const SOLD_OUT = because('sold_out');

/** The price of a dedicated server for the caller's account, at its own price if it has one. A machine is held when the order is placed, not when an offer is made. Errors: parameter_invalid, not_sold, out_of_stock. */
export async function priceDedicated(
  ctx: OrdersContext,
  input: Omit<DedicatedOrder, 'hostname'> & { hostname: string | null },
): Promise<OfferTerms> {
  const pricedAt = ctx.clock.now();
  const shop = await atPricesOf(ctx.em, ctx.providers.shopAt, accountOf(ctx), pricedAt);
  const plan = dedicatedPlan(shop, input.plan);
  mustBeSold(plan);
  mustBeSold({ sold: shop.systems.includes(input.os) });
  const order = checkDedicatedOrder({ ...input, hostname: hostnameOr(input.hostname, input.plan) }, plan);
  if ((await planStock(ctx, order.plan)) < 1) throw fail('out_of_stock', { field: 'plan' });
  const [offerId, subscriptionId] = [newId('off', ctx.clock), newId('sub', ctx.clock)];
  return offerServer(ctx, {
    offerId,
    subscriptionId,
    title: dedicatedTitle(order, plan),
    item: `dedicated.${order.plan}`,
    months: order.months,
    lines: dedicatedLines(order, plan),
    fulfil: { kind: 'dedicated', offerId, ...order, subscriptionId, pricedAt: pricedAt.toISOString() },
    holdsStock: true,
  });
}

type OrderFact = 'order.placed' | 'order.cancelled' | 'order.expired' | 'order.held' | 'order.paid' | 'order.refunded';

const ordered = ({ data, accountId }: EventOf<OrderFact>) =>
  data.seller === 'compute' && accountId !== null ? dedicatedFulfilment.safeParse(data.fulfil).data : undefined;

/** Reaction to `order.placed`: where accounts asks for it, holds a machine until the order is paid, and appends an event that tells accounts the result. */
export async function answerPlaced({ em, clock }: OrdersContext, event: EventOf<'order.placed'>): Promise<void> {
  const order = ordered(event);
  const { hold: wish, expiresAt } = event.data;
  const { accountId, subject: orderId } = event;
  if (!order || !wish || accountId === null || (await hasHold(em, orderId))) return;
  const { plan: planCode, offerId } = order;
  const at = clock.now();
  await lockStock(em, planCode);
  const free = (await stockOf(em, at)).get(planCode) ?? 0;
  const refusal = whyNotHold(wish, 1, await heldForUnpaid(em, { planCode, accountId, wish, at }), free, SOLD_OUT);
  const until = holdUntil('machines', wish, at, expiresAt);
  if (!refusal) await holdForUnpaid(em, { orderId, offerId, accountId, planCode, until }, wish);
  const about = { at, accountId, subject: orderId };
  if (refusal) await appendEvents(em, { type: 'compute_stock.refused', ...about, data: { orderId, ...refusal } });
  else await appendEvents(em, { type: 'compute_stock.held', ...about, data: { orderId, until: until.toISOString() } });
}

/** Reaction to `order.held`: the order is paid but must be reviewed by a person before its delivery. Its machine is held for that time. */
export async function holdForReview(ctx: OrdersContext, event: EventOf<'order.held'>): Promise<void> {
  const order = ordered(event);
  const { accountId, subject: orderId, data } = event;
  if (!order || accountId === null || data.holdUntil === undefined) return;
  const { plan: planCode, offerId } = order;
  await holdForPaid(ctx.em, { orderId, accountId, planCode, offerId, until: new Date(data.holdUntil) });
}

/** Reaction to `order.cancelled`, `order.expired`, and to `order.refunded`, which is appended when the order was not delivered: releases the held machine. */
export async function freeStock(
  { em }: OrdersContext,
  event: EventOf<'order.cancelled' | 'order.expired' | 'order.refunded'>,
): Promise<void> {
  if (ordered(event)) await freeStockOfOrder(em, event.subject);
}

/** Handles a paid order of a dedicated server: begins to provision it, one server per order. */
export async function beginDedicated(ctx: OrdersContext, event: EventOf<'order.paid'>): Promise<void> {
  const order = ordered(event);
  const { accountId, subject: orderId } = event;
  if (!order || accountId === null) return;
  const { plan: planCode, offerId, kind: _, pricedAt, ...terms } = order;
  const choices = { ...terms, planCode, ...(pricedAt !== undefined && { pricedAt: new Date(pricedAt) }) };
  if (!(await beginServer(ctx, { ...event, accountId }, 'DEDICATED', choices))) return;
  await holdForPaid(ctx.em, { orderId, accountId, planCode, offerId, until: after(ctx.clock.now(), PAID_HOLD_MS) });
}

/** Deletes holds whose time is over; they no longer count in any case. */
export const sweepHolds = ({ em, clock }: OrdersContext): Promise<void> => dropStaleHolds(em, clock.now());
