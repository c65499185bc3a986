// What happens when an order of ours is paid, and when it is refunded before we delivered it.
import { z } from 'zod';
import type { EventOf } from '#platform/events.ts';
import { PRODUCT_CODES } from '../../../../edge/protocol/product.ts';
import { deleteUntouched, isOrderRefunded, lockPlanOfOrder, planIdOfOrder } from '../entities/plan.ts';
import type { Context } from '../context.ts';
import { grantPlan } from './grant-plan.ts';
import { takeBackRest, announceWithdrawn } from './withdraw-plan.ts';

/** What `pricePackage` put into the signed offer. */
const fulfilment = z.object({
  product: z.enum(PRODUCT_CODES),
  bytes: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
});

const isOurs = ({ data }: EventOf<'order.paid' | 'order.refunded' | 'order.withdrawn'>): boolean => data.seller === 'residential';

/**
 * Reaction to `order.paid`: delivers the plan. Orders of other sellers are none of ours, and one that was refunded while we were away gets nothing.
 */
export async function fulfilOrder(ctx: Context, event: EventOf<'order.paid'>): Promise<void> {
  const { accountId } = event;
  if (!isOurs(event) || accountId === null) return;
  if (await isOrderRefunded(ctx.em, event.subject)) return;
  const { product, bytes } = fulfilment.parse(event.data.fulfil);
  await grantPlan(ctx, { accountId, product, bytes, orderId: event.subject });
}

/** Reaction to `order.refunded`, which tells of whole refunds before delivery: a plan that was made in the same moment is taken back. */
export async function withdrawOrder(ctx: Context, event: EventOf<'order.refunded'>): Promise<void> {
  if (!isOurs(event) || event.accountId === null) return;
  const plan = await lockPlanOfOrder(ctx.em, event.subject);
  if (!plan) return;
  const { id, accountId } = plan;
  // A package that nothing was done with yet leaves nothing behind; of another one only what was used remains.
  if (await deleteUntouched(ctx.em, id)) await announceWithdrawn(ctx, { id, accountId, orderId: event.subject });
  else await takeBackRest(ctx, id);
}

/** Reaction to `order.withdrawn`, which tells that support has taken back what a delivered order bought: only what was used remains. */
export async function endOrdered(ctx: Context, event: EventOf<'order.withdrawn'>): Promise<void> {
  if (!isOurs(event)) return;
  const planId = await planIdOfOrder(ctx.em, event.subject);
  if (planId !== undefined) await takeBackRest(ctx, planId);
}
