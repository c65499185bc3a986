import type { EventOf } from '#platform/events.ts';
import { type SuspensionFact, storeSuspension } from '#commerce/account-suspension.ts';
import { endOutages } from '../../health/entities/outage.ts';
import { markSuspended } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

/** Reaction to `account.suspended` and `account.restored`: the lines of a suspended account are closed; it keeps its addresses. */
export async function followSuspension(ctx: PlansContext, event: EventOf<SuspensionFact>): Promise<void> {
  const now = await storeSuspension(ctx, event);
  if (!now) return;
  // The addresses are not checked meanwhile, so open outages end now.
  for (const planId of await markSuspended(ctx.em, now.accountId, now.suspended)) await endOutages(ctx.em, { planId }, ctx.clock.now());
}
