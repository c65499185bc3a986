// A dedicated server from its price to the beginning of its provisioning.
import { z } from 'zod';
import { DAY, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { holdUntil, whyNotHold } from '#platform/holds.ts';
import { newId } from '#platform/ids.ts';
import { type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { randomBase62, seal } from '#platform/secrets.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import type { ComputeContext } from '../../builder.ts';
import { type DedicatedOrder, checkDedicatedOrder, dedicatedLines, dedicatedTitle } from '../domain/dedicated-order.ts';
import { DEDICATED_PLAN_CODES, type DedicatedPlan } from '../domain/dedicated-plan.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES } from '../../servers/domain/operating-system.ts';
import { stockOf } from '../../machines/entities/bare-metal.ts';
import { insertDedicated, updateServer } from '../../servers/entities/server.ts';
import { dropStaleHolds, freeStockOfOrder, hasHold, heldForUnpaid, holdForPaid, holdForUnpaid, lockStock } from '../entities/stock-hold.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { newPassword } from './order-vps.ts';
import { passwordPlace } from '../../operations/services/steps.ts';

/** What the signed offer carries. */
export const dedicatedFulfilment = z.object({
  kind: z.literal('dedicated'),
  offerId: z.string().min(1),
  plan: z.enum(DEDICATED_PLAN_CODES),
  months: z.union([z.literal(1), z.literal(3), z.literal(6)]),
  os: z.enum(OPERATING_SYSTEM_CODES),
  hostname: z.string().min(1).max(253),
  subscriptionId: z.string().min(1),
});

/** A paid order keeps its hold until it has a machine. */
const PAID_HOLD_MS = 4 * DAY;

export const dedicatedPlan = (ctx: ComputeContext, code: string): DedicatedPlan => {
  const plan = ctx.providers.dedicatedPlans.find((one) => one.code === code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan;
};

/** How many of a plan could be ordered now. */
export const planStock = async ({ em, clock }: ComputeContext, code: string): Promise<number> =>
  (await stockOf(em, clock.now())).get(code) ?? 0;

const SOLD_OUT = 'Out of stock at the moment.';

/** The price of a dedicated server for the caller's account. A machine is held from Pay, not by asking for it. Errors: parameter_invalid, out_of_stock. */
export async function priceDedicated(
  ctx: ComputeContext,
  input: Omit<DedicatedOrder, 'hostname'> & { hostname: string | null },
): Promise<OfferTerms> {
  const plan = dedicatedPlan(ctx, input.plan);
  const hostname = input.hostname?.trim() || `${input.plan}-${randomBase62(6)}`.toLowerCase();
  const order = checkDedicatedOrder({ ...input, hostname }, plan);
  const accountId = accountOf(ctx);
  const [offerId, subscriptionId] = [newId('off', ctx.clock), newId('sub', ctx.clock)];
  const lines = dedicatedLines(order, plan);
  if ((await planStock(ctx, order.plan)) < 1) throw fail('out_of_stock', { field: 'plan' });
  return priceOffer(
    {
      id: offerId,
      accountId,
      seller: 'compute',
      title: dedicatedTitle(order, plan),
      lines,
      currency: 'USD',
      subscription: { id: subscriptionId, months: order.months, lines },
      fulfil: { kind: 'dedicated', offerId, ...order, subscriptionId },
      holdsStock: true,
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}

type OrderFact = 'order.placed' | 'order.cancelled' | 'order.expired' | 'order.paid';

const ordered = ({ data, accountId }: EventOf<OrderFact>) =>
  data.seller === 'compute' && accountId !== null ? dedicatedFulfilment.safeParse(data.fulfil).data : undefined;

/** Reaction to `order.placed`: a machine waits for the payment, where accounts asks for that; accounts hears whether. */
export async function answerPlaced({ em, clock }: ComputeContext, event: EventOf<'order.placed'>): Promise<void> {
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

/** Reaction to `order.cancelled` and `order.expired`. */
export async function freeStock({ em }: ComputeContext, event: EventOf<'order.cancelled' | 'order.expired'>): Promise<void> {
  if (ordered(event)) await freeStockOfOrder(em, event.subject);
}

/** Reaction to `order.paid` of a dedicated server: provisions it, one per order. */
export async function beginDedicated(ctx: ComputeContext, event: EventOf<'order.paid'>): Promise<void> {
  const order = ordered(event);
  if (!order || event.accountId === null) return;
  const { em, clock, providers } = ctx;
  const { plan: planCode, ...terms } = order;
  const id = newId('ded', clock);
  const at = clock.now();
  const server = { id, kind: 'DEDICATED', accountId: event.accountId } as const;
  const made = await insertDedicated(em, {
    ...terms,
    ...server,
    planCode,
    orderId: event.subject,
    createdAt: at,
    loginName: OPERATING_SYSTEMS[terms.os].loginName,
    passwordSealed: seal(newPassword(), providers.sealing, passwordPlace(id)),
  });
  if (!made) return;
  const { subscription } = event.data;
  if (subscription)
    await updateServer(em, id, {
      subscriptionVersion: subscription.version,
      periodStart: subscription.currentPeriodStart,
      periodEnd: subscription.currentPeriodEnd,
    });
  await holdForPaid(em, {
    orderId: event.subject,
    accountId: event.accountId,
    planCode,
    offerId: order.offerId,
    until: after(at, PAID_HOLD_MS),
  });
  await beginOperation(ctx, server, { command: 'PROVISION' });
}

/** Clears away holds whose time is over; they count no more already. */
export const sweepHolds = ({ em, clock }: ComputeContext): Promise<void> => dropStaleHolds(em, clock.now());
