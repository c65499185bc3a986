import { doneBy, ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { type AlertMarks, checkAlerts, reachedLeft, reachedMark } from '../domain/low-balance.ts';
import type { Plan } from '../domain/plan.ts';
import { saveAlerts } from '../entities/low-balance.ts';
import { lockedPlan } from '../entities/plan.ts';
import type { Context } from '../context.ts';
import { readPlan } from './read-plans.ts';

/** Sets the owner's marks; null: the default ones. Marks that are reached already are not notified any more. Errors: plan_not_found, parameter_invalid. */
export const setAlerts = (
  ctx: Context,
  id: string,
  input: { percents: readonly number[]; leftBytes: readonly bigint[] } | null,
): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    await lockedPlan(tx.em, ownerOf(ctx, id), id);
    const plan = await readPlan(tx, id);
    const marks: AlertMarks = input ? checkAlerts(input) : { percents: null, leftBytes: [] };
    const marked = { ...plan, alertPercents: marks.percents, alertLeftBytes: marks.leftBytes };
    await saveAlerts(tx.em, marks, { id, percent: reachedMark(marked), leftBytes: reachedLeft(marked) });
    const data = { planId: id, percents: marks.percents && [...marks.percents], leftBytes: marks.leftBytes.map(String), ...doneBy(tx) };
    await appendEvents(tx.em, { type: 'residential_plan.alerts_set', at: tx.clock.now(), accountId: plan.accountId, subject: id, data });
    return readPlan(tx, id);
  });
