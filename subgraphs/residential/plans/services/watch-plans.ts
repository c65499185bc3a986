// Live subscriptions to events of an account's plans.
import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { STATUS_EVENTS } from '../domain/plan-status.ts';
import type { Context } from '../context.ts';

const PLAN_EVENTS = [
  'residential_plan.created',
  ...Object.values(STATUS_EVENTS),
  'residential_plan.reset',
  'residential_plan.auto_top_up_set',
  'residential_plan.labelled',
  'residential_plan.lapsed',
  'residential_plan.limited',
  'residential_plan.top_up_stopped',
  'residential_plan.topped_up',
] as const;

/** At most one value waits for each plan. An account with more plans than this loses values only while it does not read. */
export const MAX_WATCHED_PLANS = 1_000;

/** Yields the ids of the account's plans that had an event. */
export function watchPlans(ctx: Context): AsyncIterableIterator<string> {
  const accountId = accountOf(ctx);
  return liveIterator<string>(
    (push) => ctx.events.subscribe({ types: PLAN_EVENTS, accountId }, ({ subject }) => mayReach(ctx.viewer, subject) && push(subject)),
    {
      key: (id) => id,
      onDrop: ctx.providers.eventDropped,
      capacity: MAX_WATCHED_PLANS,
      signal: ctx.signal,
    },
  );
}
