// Totals and days are projections of the ledger. They can be compared with it, and computed again from it when something else has changed them.
import { IsolationLevel } from '@mikro-orm/core';
import { toDay } from '#platform/clock.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { lockPlans, plansById } from '../../plans/entities/plan.ts';
import { type UsageDifference, countAudited, differences, rebuildPlan } from '../entities/usage-audit.ts';
import { notifyFiguresChanged } from '../../plans/entities/plan-figures.ts';
import { firstDayOfLedger } from '../entities/usage-week.ts';
import type { Context } from '../context.ts';
import { announceStatus } from '../../plans/services/announce-status.ts';

export interface UsageAudit {
  plans: bigint;
  days: bigint;
  entries: bigint;
  /** The first day whose entries are all there; older days are kept without their entries. */
  ledgerSince: string;
  differences: UsageDifference[];
}

const MAX_DIFFERENCES = 1_000;

const firstDay = async (em: EntityManager, now: Date): Promise<string> => (await firstDayOfLedger(em)) ?? toDay(now);

/** Compares everything in one snapshot, while others go on writing. */
export const verifyUsage = (ctx: Context): Promise<UsageAudit> =>
  ctx.em.transactional(
    async (transaction) => {
      const em = transaction as EntityManager;
      const ledgerSince = await firstDay(em, ctx.clock.now());
      return { ledgerSince, differences: await differences(em, ledgerSince, MAX_DIFFERENCES), ...(await countAudited(em)) };
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, clear: false },
  );

/**
 * Computes the days and totals of these plans again from the ledger, each plan in a short transaction of its own. Leases are not changed: their growth is in
 * the ledger.
 */
export async function rebuildUsage(ctx: Context, planIds: Iterable<string>): Promise<void> {
  for (const id of new Set(planIds)) {
    await inTransaction(ctx, async (tx) => {
      await lockPlans(tx.em, [id]);
      await rebuildPlan(tx.em, id, await firstDay(tx.em, ctx.clock.now()));
      const plans = await plansById(tx.em, [id], ctx.clock.now());
      await announceStatus(tx, plans);
      for (const plan of plans) await notifyFiguresChanged(tx.em, plan);
    });
  }
}
