// Live subscriptions to the plans or servers of an account.
import { type Context, accountOf } from './context.ts';
import type { LiveFeed } from './event-reader.ts';
import { mayReach } from './identity.ts';
import { liveIterator } from './live-iterator.ts';

/** At most one value waits for each thing. An account with more of them than this loses values only while it does not read. */
export const MAX_WATCHED = 1_000;

/** Yields the ids of those that had an event of these types and that the viewer has access to. Throws `session_invalid`. */
export function watchThings(
  { viewer, events, providers, signal }: Context<{ eventDropped(): void }>,
  types: Parameters<LiveFeed['subscribe']>[0]['types'],
): AsyncIterableIterator<string> {
  const accountId = accountOf({ viewer });
  return liveIterator<string>(
    (push) => events.subscribe({ types, accountId }, ({ subject }) => mayReach(viewer, subject) && push(subject)),
    { key: (id) => id, onDrop: providers.eventDropped, capacity: MAX_WATCHED, signal },
  );
}
