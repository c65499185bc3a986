import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { unusedBytes } from '../domain/plan.ts';
import { END_MARKS, endAt } from '../domain/validity.ts';
import { noteNearEnd, plansNearEnd } from '../entities/lapse.ts';
import { lockPlans, plansById } from '../entities/plan.ts';
import type { Context } from '../context.ts';
import { titleOf } from './announce-balance.ts';

const BATCH_SIZE = 500;

/** Appends an event for each plan with bytes left that has come to a mark before its end, once for each mark; the lowest only, where several were passed. */
export async function announceEnds(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const mark of END_MARKS) {
    const near = { mark, until: endAt(mark, now) };
    for (;;) {
      const ids = await plansNearEnd(ctx.em, now, near, BATCH_SIZE);
      if (ids.length > 0)
        await inTransaction(ctx, async (tx) => {
          await lockPlans(tx.em, ids);
          await announceEnd(tx, await noteNearEnd(tx.em, now, near, ids), mark);
        });
      if (ids.length < BATCH_SIZE) break;
    }
  }
}

async function announceEnd(tx: Context, ids: readonly string[], days: number): Promise<void> {
  if (ids.length === 0) return;
  const at = tx.clock.now();
  const plans = await plansById(tx.em, ids, at);
  await appendEvents(
    tx.em,
    ...plans.map((plan) => ({
      type: 'residential_plan.ends_soon' as const,
      at,
      accountId: plan.accountId,
      subject: plan.id,
      data: {
        planId: plan.id,
        title: titleOf(tx, plan),
        days,
        leftBytes: unusedBytes(plan).toString(),
        validUntil: plan.validUntil?.toISOString() ?? '',
      },
    })),
  );
}
