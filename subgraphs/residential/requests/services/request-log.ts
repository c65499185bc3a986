// What an owner does with the log of a plan's requests: chooses how much is kept, reads it, deletes it.
import { doneBy } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { RequestLogMode } from '../../../../edge/protocol/request-log.ts';
import { recallLeases } from '../../leases/entities/lease.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { readPlan } from '../../plans/services/read-plans.ts';
import {
  type PlanLog,
  type RequestEntry,
  type RequestFilter,
  checkFirst,
  earliestRequest,
  hourOf,
  readCursor,
} from '../domain/request-log.ts';
import { deleteRequests, lockChoice, planLog, requestsOf, saveChoice } from '../entities/request-log.ts';
import type { Context } from '../context.ts';

/** What is kept of a plan that the caller may see. */
export const readLog = (ctx: Context, planId: string): Promise<PlanLog> =>
  planLog(ctx.em, planId, hourOf(earliestRequest(ctx.clock.now(), ctx.providers.retention)));

/** Nodes hear of it within a second. What is there stays until its time. Errors: plan_not_found. */
export const setRequestLog = (ctx: Context, planId: string, mode: RequestLogMode): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const plan = await readPlan(tx, planId);
    const now = tx.clock.now();
    const before = await lockChoice(tx.em, planId);
    if (before === mode) return plan;
    await saveChoice(tx.em, { planId, mode, now, restarts: before === 'OFF' });
    await recallLeases(tx.em, [{ planId, epoch: plan.credentialEpoch }]);
    const about = { at: now, accountId: plan.accountId, subject: planId };
    await appendEvents(tx.em, { type: 'residential_plan.request_log_set', ...about, data: { planId, mode, ...doneBy(tx) } });
    return plan;
  });

/** All of it, at once; what nodes still hold of before does not come after it. The choice stays. Errors: plan_not_found. */
export const deleteRequestLog = (ctx: Context, planId: string): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const plan = await readPlan(tx, planId);
    const now = tx.clock.now();
    const mode = await lockChoice(tx.em, planId);
    await saveChoice(tx.em, { planId, mode, now, restarts: true });
    await deleteRequests(tx.em, planId);
    const about = { at: now, accountId: plan.accountId, subject: planId };
    await appendEvents(tx.em, { type: 'residential_plan.request_log_deleted', ...about, data: { planId, ...doneBy(tx) } });
    return plan;
  });

/** The filter within the days that are kept. */
export function within({ clock, providers }: Context, filter: RequestFilter): RequestFilter & { from: Date } {
  const earliest = earliestRequest(clock.now(), providers.retention);
  return { ...filter, from: filter.from && filter.from > earliest ? filter.from : earliest };
}

/** The newest first, of a plan that the caller may see; the next ones after the id of the last. Throws `parameter_invalid`. */
export async function listRequests(
  ctx: Context,
  planId: string,
  { first, after, filter }: { first: number; after?: string | null | undefined; filter?: RequestFilter | null | undefined },
): Promise<RequestEntry[]> {
  checkFirst(first);
  const before = after === undefined || after === null ? undefined : readCursor(after);
  // Nothing follows a place that there is not.
  if (after && !before) return [];
  return requestsOf(ctx.em, planId, within(ctx, filter ?? {}), { first, before });
}
