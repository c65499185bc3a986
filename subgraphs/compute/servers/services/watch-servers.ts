import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import type { ServersContext } from '../context.ts';

const EVENTS = {
  VPS: ['compute_vps.changed', 'compute_vps.created', 'compute_vps.failed'],
  DEDICATED: ['compute_dedicated.changed', 'compute_dedicated.delivered', 'compute_dedicated.failed'],
} as const;
/** At most one value waits for each server. */
const MAX_SERVERS = 1_000;

/** Yields the ids of the account's servers of one kind that had an event. */
export function watchServers(ctx: ServersContext, kind: keyof typeof EVENTS): AsyncIterableIterator<string> {
  const accountId = accountOf(ctx);
  return liveIterator<string>(
    (push) => ctx.events.subscribe({ types: EVENTS[kind], accountId }, ({ subject }) => mayReach(ctx.viewer, subject) && push(subject)),
    {
      key: (id) => id,
      onDrop: ctx.providers.eventDropped,
      capacity: MAX_SERVERS,
      signal: ctx.signal,
    },
  );
}
