import type { EventOf } from '#platform/events.ts';
import { type SuspensionFact, storeSuspension } from '#commerce/account-suspension.ts';
import { markSuspended } from '../entities/plan.ts';
import type { Context } from '../context.ts';

/** Reaction to `account.suspended` and `account.restored`: no node carries anything for a plan of a suspended account; its bytes stay. */
export async function followSuspension(ctx: Context, event: EventOf<SuspensionFact>): Promise<void> {
  const now = await storeSuspension(ctx, event);
  if (now) await markSuspended(ctx.em, now.accountId, now.suspended);
}
