import { watchThings } from '#platform/watch-things.ts';
import type { PlansContext } from '../context.ts';

const EVENTS = [
  'static_plan.created',
  'static_plan.delivered',
  'static_plan.failed',
  'static_plan.suspended',
  'static_plan.resumed',
  'static_plan.expired',
  'static_plan.cancelled',
  'static_plan.changed',
  'static_plan.credentials_changed',
  'static_plan.network_added',
  'static_plan.network_removed',
  'static_plan.log_in_set',
  'static_plan.replaced',
  'static_plan.health_changed',
] as const;

/** Yields the ids of the account's plans that had an event. */
export const watchPlans = (ctx: PlansContext): AsyncIterableIterator<string> => watchThings(ctx, EVENTS);
