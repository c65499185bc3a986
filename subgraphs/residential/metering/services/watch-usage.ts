// Live figures of an account's plans, as they are committed.
import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { because, fail } from '#platform/errors.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { MAX_WATCHED } from '#platform/watch-things.ts';
import { type Plan, usedBytes } from '../../plans/domain/plan.ts';
import { readPlan, readPlans } from '../../plans/services/read-plans.ts';
import { placeOf } from '../domain/usage-place.ts';
import type { Context } from '../context.ts';

/**
 * Figures of one plan, or of every plan of the account: now, then after each change. Newer figures of a plan replace those that wait to be read. A subscriber
 * that comes back gives its last places (`placeOf`) as `since`: plans whose figures are unchanged are sent only after their next change. Throws
 * `plan_not_found` and `parameter_invalid`.
 */
export async function watchUsage(
  ctx: Context,
  planId: string | undefined,
  since: readonly string[] = [],
): Promise<AsyncIterableIterator<Plan>> {
  const accountId = accountOf(ctx);
  if (since.length > MAX_WATCHED)
    throw fail('parameter_invalid', { field: 'since', reason: because('since_too_long', { max: MAX_WATCHED }) });
  const places = new Set(since);
  let take: (plan: Plan) => void = () => {};
  const shown = new Map<string, bigint>();
  // It listens before it reads, so that no change in between is missed.
  const iterator = liveIterator<Plan>(
    (push) => {
      // Use never falls: figures with less use were read earlier than those already sent.
      take = (plan) => {
        if (!mayReach(ctx.viewer, plan.id) || usedBytes(plan) < (shown.get(plan.id) ?? 0n)) return;
        shown.set(plan.id, usedBytes(plan));
        push(plan);
      };
      return ctx.providers.usage.watch({ accountId, ...(planId !== undefined && { planId }) }, take);
    },
    { key: ({ id }) => id, onDrop: ctx.providers.eventDropped, capacity: MAX_WATCHED, signal: ctx.signal },
  );
  try {
    for (const plan of planId === undefined ? await readPlans(ctx) : [await readPlan(ctx, planId)]) {
      if (places.has(placeOf(plan))) shown.set(plan.id, usedBytes(plan));
      else take(plan);
      ctx.providers.usage.shown(plan);
    }
  } catch (error) {
    await iterator.return?.();
    throw error;
  }
  return iterator;
}
