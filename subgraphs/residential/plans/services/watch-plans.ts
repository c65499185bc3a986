// Live subscriptions to events of an account's plans.
import { watchThings } from '#platform/watch-things.ts';
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

/** Yields the ids of the account's plans that had an event. */
export const watchPlans = (ctx: Context): AsyncIterableIterator<string> => watchThings(ctx, PLAN_EVENTS);
