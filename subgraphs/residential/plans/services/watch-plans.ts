// Live subscriptions of an account to what happens to its plans.
import { accountOf } from '#platform/context.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { STATUS_EVENTS } from '../domain/plan-status.ts';
import type { Context } from '../context.ts';

const PLAN_EVENTS = [
  'residential_plan.created',
  ...Object.values(STATUS_EVENTS),
  'residential_plan.reset',
  'residential_plan.auto_top_up_set',
  'residential_plan.limited',
  'residential_plan.top_up_stopped',
  'residential_plan.topped_up',
] as const;

/** Values that wait are one per plan; an account with more plans than this loses some only while it does not read. */
export const MAX_WATCHED_PLANS = 1_000;

/** Ids of the account's plans to which something has happened. */
export function watchPlans(ctx: Context): AsyncIterableIterator<string> {
  const accountId = accountOf(ctx);
  return liveIterator<string>((push) => ctx.events.subscribe({ types: PLAN_EVENTS, accountId }, ({ subject }) => push(subject)), {
    key: (id) => id,
    onDrop: ctx.providers.eventDropped,
    capacity: MAX_WATCHED_PLANS,
    signal: ctx.signal,
  });
}
