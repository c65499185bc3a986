// A dedicated server from its price to the beginning of its provisioning.
import { z } from 'zod';
import { DAY, MINUTE, after } from '#shared/clock.ts';
import { accountOf } from '#shared/context.ts';
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import type { LoggedEvent } from '#shared/events.ts';
import { newId } from '#shared/ids.ts';
import { OFFER_VALID_MS, type OfferTerms, priceOffer } from '#shared/offers.ts';
import { randomBase62, seal } from '#shared/secrets.ts';
import { taxBasisPointsOf } from '#shared/tax.ts';
import type { ComputeContext } from '../builder.ts';
import { type DedicatedOrder, checkDedicatedOrder, dedicatedLines, dedicatedTitle } from '../domain/dedicated-order.ts';
import { DEDICATED_PLAN_CODES, type DedicatedPlan } from '../domain/dedicated-plan.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES } from '../domain/operating-system.ts';
import { stockOf } from '../entities/bare-metal.ts';
import { insertDedicated, updateServer } from '../entities/server.ts';
import { dropStaleHolds, freeStockOfOrder, holdForOrder, holdStock, lockStock } from '../entities/stock-hold.ts';
import { beginOperation } from './begin-operation.ts';
import { newPassword, paidSubscription } from './order-vps.ts';
import { passwordPlace } from './steps.ts';

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

/** An order placed in an offer's last second reaches us a little later. */
const HOLD_MS = OFFER_VALID_MS + MINUTE;
/** A paid order keeps its hold until it has a machine. */
const PAID_HOLD_MS = 4 * DAY;

export const dedicatedPlan = (ctx: ComputeContext, code: string): DedicatedPlan => {
  const plan = ctx.providers.dedicatedPlans.find((one) => one.code === code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan;
};

/** How many of a plan the caller could order now; a machine that is held for the caller's own offer is among them. */
export async function planStock({ em, clock, viewer }: ComputeContext, code: string): Promise<number> {
  const mine = viewer.kind === 'session' ? viewer.accountId : undefined;
  return (await stockOf(em, clock.now(), mine)).get(code) ?? 0;
}

/** The price of a dedicated server for the caller's account, with a machine held for it. Errors: parameter_invalid, out_of_stock. */
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
  await inTransaction(ctx, async ({ em, clock }) => {
    const now = clock.now();
    await lockStock(em, order.plan);
    if (((await stockOf(em, now, accountId)).get(order.plan) ?? 0) < 1) throw fail('out_of_stock', { field: 'plan' });
    await holdStock(em, { offerId, accountId, planCode: order.plan, until: after(now, HOLD_MS) });
  });
  return priceOffer(
    {
      ...{ id: offerId, accountId, seller: 'compute', title: dedicatedTitle(order, plan), lines, currency: 'USD' },
      subscription: { id: subscriptionId, months: order.months, lines },
      fulfil: { kind: 'dedicated', offerId, ...order, subscriptionId },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}

const ordered = (event: LoggedEvent) =>
  event.data['seller'] === 'compute' && event.accountId !== null ? dedicatedFulfilment.safeParse(event.data['fulfil']).data : undefined;

/** Reaction to `order.placed`: the machine waits for the payment. */
export async function keepStock({ em, clock }: ComputeContext, event: LoggedEvent): Promise<void> {
  const order = ordered(event);
  if (!order || event.accountId === null) return;
  const until = z.coerce.date().parse(event.data['expiresAt'] ?? after(clock.now(), DAY));
  await lockStock(em, order.plan);
  await holdForOrder(em, { orderId: event.subject, accountId: event.accountId, planCode: order.plan, until, offerId: order.offerId });
}

/** Reaction to `order.cancelled` and `order.expired`. */
export async function freeStock({ em }: ComputeContext, event: LoggedEvent): Promise<void> {
  if (ordered(event)) await freeStockOfOrder(em, event.subject);
}

/** Reaction to `order.paid` of a dedicated server: provisions it, one per order. */
export async function beginDedicated(ctx: ComputeContext, event: LoggedEvent): Promise<void> {
  const order = ordered(event);
  if (!order || event.accountId === null) return;
  const { em, clock, providers } = ctx;
  const { plan: planCode, ...terms } = order;
  const id = newId('ded', clock);
  const at = clock.now();
  const server = { id, kind: 'DEDICATED', accountId: event.accountId } as const;
  const made = await insertDedicated(em, {
    ...{ ...terms, ...server, planCode, orderId: event.subject, createdAt: at },
    loginName: OPERATING_SYSTEMS[terms.os].loginName,
    passwordSealed: seal(newPassword(), providers.sealing, passwordPlace(id)),
  });
  if (!made) return;
  const subscription = paidSubscription.safeParse(event.data['subscription']).data;
  if (subscription)
    await updateServer(em, id, {
      subscriptionVersion: subscription.version,
      periodStart: subscription.currentPeriodStart,
      periodEnd: subscription.currentPeriodEnd,
    });
  await holdForOrder(em, {
    ...{ orderId: event.subject, accountId: event.accountId, planCode, offerId: order.offerId },
    until: after(at, PAID_HOLD_MS),
  });
  await beginOperation(ctx, server, { command: 'PROVISION' });
}

/** Clears away holds whose time is over; they count no more already. */
export const sweepHolds = ({ em, clock }: ComputeContext): Promise<void> => dropStaleHolds(em, clock.now());
