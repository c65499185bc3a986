import { accountOf } from '#platform/context.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import type { StaticContext } from '../../providers.ts';

const EVENTS = [
  'created',
  'delivered',
  'failed',
  'suspended',
  'resumed',
  'expired',
  'cancelled',
  'changed',
  'credentials_changed',
  'replaced',
  'health_changed',
].map((verb) => `static_plan.${verb}`);

/** Values that wait are one per plan. */
const MOST_PLANS = 1_000;

/** Ids of the account's plans to which something has happened. */
export function watchPlans(ctx: StaticContext): AsyncIterableIterator<string> {
  const accountId = accountOf(ctx);
  const iterator = liveIterator<string>((push) => ctx.events.subscribe({ types: EVENTS, accountId }, ({ subject }) => push(subject)), {
    key: (id) => id,
    onDrop: ctx.providers.eventDropped,
    capacity: MOST_PLANS,
  });
  const end = () => void iterator.return?.();
  if (ctx.signal.aborted) end();
  else ctx.signal.addEventListener('abort', end, { once: true });
  return iterator;
}
