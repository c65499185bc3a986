import { watchThings } from '#platform/watch-things.ts';
import type { ServersContext } from '../context.ts';

const EVENTS = {
  VPS: ['compute_vps.changed', 'compute_vps.created', 'compute_vps.failed'],
  DEDICATED: ['compute_dedicated.changed', 'compute_dedicated.delivered', 'compute_dedicated.failed'],
} as const;

/** Yields the ids of the account's servers of one kind that had an event. */
export const watchServers = (ctx: ServersContext, kind: keyof typeof EVENTS): AsyncIterableIterator<string> =>
  watchThings(ctx, EVENTS[kind]);
