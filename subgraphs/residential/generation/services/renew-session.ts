// Another address for a sticky session that is alive, without another line.
import { ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { endSessions } from '../../leases/entities/sticky-session.ts';
import { recallLeases } from '../../leases/entities/lease.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { countRenewal, lockedPlan } from '../../plans/entities/plan.ts';
import { readPlan } from '../../plans/services/read-plans.ts';
import type { Context } from '../context.ts';

export interface SessionRenewal {
  plan: Plan;
  session: string;
  /** How many were alive: one for each place, turn and proxy user that the number was used with. */
  renewed: number;
}

/**
 * Ends the sessions with this number. Their next connections leave from other addresses, on every node within a second, for the whole lifetime of the line; what
 * is open goes on from the old one. Errors: plan_not_found.
 */
export const renewSession = (ctx: Context, planId: string, session: string): Promise<SessionRenewal> =>
  inTransaction(ctx, async (tx) => {
    const { credentialEpoch: epoch } = await lockedPlan(tx.em, ownerOf(ctx, planId), planId);
    const renewed = await endSessions(tx.em, { planId, session, now: tx.clock.now() });
    if (renewed > 0) {
      await countRenewal(tx.em, planId);
      await recallLeases(tx.em, [{ planId, epoch }]);
    }
    return { plan: await readPlan(tx, planId), session, renewed };
  });
