import type { EventOf } from '#platform/events.ts';
import type { FreezeFact } from '#commerce/purchase-freeze.ts';
import { endOutages } from '../../health/entities/outage.ts';
import { markFrozen } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

/** Reaction to `purchase.frozen` and `purchase.thawed`: the lines of a plan whose payment is disputed are closed; it keeps its addresses. */
export async function followFreeze(ctx: PlansContext, { type, data }: EventOf<FreezeFact>): Promise<void> {
  if (data.seller !== 'static') return;
  const planId = await markFrozen(ctx.em, data.orderId, type === 'purchase.frozen');
  // The addresses are not checked meanwhile, so open outages end now.
  if (planId) await endOutages(ctx.em, { planId }, ctx.clock.now());
}
