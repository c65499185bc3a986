// What happens when an order of ours is paid, refunded before its delivery, or withdrawn.
import { z } from 'zod';
import type { EventOf } from '#platform/events.ts';
import { PRODUCT_CODES } from '../../../../edge/protocol/product.ts';
import { deleteUntouched, isOrderRefunded, lockPlanOfOrder } from '../entities/plan.ts';
import { planOfPurchase } from '../entities/top-up.ts';
import type { Context } from '../context.ts';
import { hearGivenUp } from './auto-top-up.ts';
import { grantPlan } from './grant-plan.ts';
import { topUpPlan } from './top-up-plan.ts';
import { takeBackRest, announceWithdrawn } from './withdraw-plan.ts';

/** The part `fulfil` of a signed offer, of a package or of more bytes for one. */
const fulfilment = z.object({
  product: z.enum(PRODUCT_CODES),
  bytes: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
  /** For how many days it is valid, from the delivery on; absent: for ever. */
  validDays: z.int().min(1).optional(),
  /** The plan that the order tops up; absent: it makes a new one. */
  planId: z.string().optional(),
  /** The id of an automatic top-up's request. */
  requestId: z.string().optional(),
});

const isOurs = ({ data }: EventOf<'order.paid' | 'order.refunded' | 'order.withdrawn'>): boolean => data.seller === 'residential';

/**
 * Reaction to `order.paid`: delivers a plan or a top-up. Orders of other sellers are ignored, and so are those that were refunded before this event was
 * handled.
 */
export async function fulfilOrder(ctx: Context, event: EventOf<'order.paid'>): Promise<void> {
  const { accountId } = event;
  if (!isOurs(event) || accountId === null) return;
  if (await isOrderRefunded(ctx.em, event.subject)) return;
  const orderId = event.subject;
  const { product, bytes, validDays, planId, requestId } = fulfilment.parse(event.data.fulfil);
  if (planId !== undefined) return topUpPlan(ctx, { accountId, orderId, planId, bytes, validDays, requestId });
  await grantPlan(ctx, { accountId, product, bytes, validDays, orderId });
}

/** Reaction to `order.refunded`, which is appended for whole refunds before the delivery: what was delivered at the same time is taken back. */
export async function withdrawOrder(ctx: Context, event: EventOf<'order.refunded'>): Promise<void> {
  if (!isOurs(event) || event.accountId === null) return;
  await hearGivenUp(ctx, event);
  const orderId = event.subject;
  const plan = await lockPlanOfOrder(ctx.em, orderId);
  if (!plan) return endOrdered(ctx, event);
  const { id: planId, accountId } = plan;
  // A package with which nothing was done yet is deleted; of any other one only the used bytes stay.
  if (await deleteUntouched(ctx.em, planId)) await announceWithdrawn(ctx, { id: planId, accountId, orderId });
  else await takeBackRest(ctx, { planId, orderId });
}

/** Reaction to `order.withdrawn`, which tells that support has taken back what a delivered order bought: only the used bytes stay. */
export async function endOrdered(ctx: Context, event: EventOf<'order.withdrawn' | 'order.refunded'>): Promise<void> {
  if (!isOurs(event)) return;
  const orderId = event.subject;
  const planId = await planOfPurchase(ctx.em, orderId);
  if (planId !== undefined) await takeBackRest(ctx, { planId, orderId });
}
