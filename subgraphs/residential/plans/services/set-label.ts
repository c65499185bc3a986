import { ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { Plan } from '../domain/plan.ts';
import { type PlanLabel, checkLabel } from '../domain/plan-label.ts';
import { lockedPlan } from '../entities/plan.ts';
import { saveLabel } from '../entities/plan-label.ts';
import type { Context } from '../context.ts';
import { readPlan } from './read-plans.ts';

/** Sets what its owner calls a plan, whatever its status. Errors: plan_not_found, parameter_invalid. */
export const setLabel = (ctx: Context, id: string, input: PlanLabel): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const label = checkLabel(input);
    const { accountId } = await lockedPlan(tx.em, ownerOf(ctx, id), id);
    await saveLabel(tx.em, id, label);
    await appendEvents(tx.em, { type: 'residential_plan.labelled', at: tx.clock.now(), accountId, subject: id, data: { planId: id } });
    return readPlan(tx, id);
  });
