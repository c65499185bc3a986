import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { liveIterator } from '#platform/live-iterator.ts';
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

/** At most one value waits for each plan. */
const MAX_PLANS = 1_000;

/** Yields the ids of the account's plans that had an event. */
export function watchPlans(ctx: PlansContext): AsyncIterableIterator<string> {
  const accountId = accountOf(ctx);
  return liveIterator<string>(
    (push) => ctx.events.subscribe({ types: EVENTS, accountId }, ({ subject }) => mayReach(ctx.viewer, subject) && push(subject)),
    {
      key: (id) => id,
      onDrop: ctx.providers.eventDropped,
      capacity: MAX_PLANS,
      signal: ctx.signal,
    },
  );
}
