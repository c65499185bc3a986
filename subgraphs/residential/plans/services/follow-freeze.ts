import type { EventOf } from '#platform/events.ts';
import type { FreezeFact } from '#commerce/purchase-freeze.ts';
import { markFrozen } from '../entities/plan.ts';
import type { Context } from '../context.ts';

/** Reaction to `purchase.frozen` and `purchase.thawed`: no node carries anything for a plan whose payment is disputed; its bytes stay. */
export async function followFreeze(ctx: Context, { type, data }: EventOf<FreezeFact>): Promise<void> {
  if (data.seller === 'residential') await markFrozen(ctx.em, data.orderId, type === 'purchase.frozen');
}
