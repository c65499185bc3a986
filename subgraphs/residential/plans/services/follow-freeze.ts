import type { EventOf } from '#platform/events.ts';
import type { FreezeFact } from '#commerce/purchase-freeze.ts';
import { markFrozen } from '../entities/frozen-plan.ts';
import { planOfPurchase } from '../entities/top-up.ts';
import type { Context } from '../context.ts';

/** Reaction to `purchase.frozen` and `purchase.thawed`: no node carries anything for a plan whose payment is disputed; its bytes stay. */
export async function followFreeze(ctx: Context, { type, data: { seller, orderId } }: EventOf<FreezeFact>): Promise<void> {
  const planId = seller === 'residential' ? await planOfPurchase(ctx.em, orderId) : undefined;
  if (planId !== undefined) await markFrozen(ctx.em, { planId, orderId }, type === 'purchase.frozen');
}
