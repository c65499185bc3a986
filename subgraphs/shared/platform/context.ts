// What every use case is given, and nothing else.
import type { Clock } from './clock.ts';
import type { EntityManager, Trail } from './database.ts';
import type { LiveFeed } from './event-reader.ts';
import { fail } from './errors.ts';
import type { Viewer } from './identity.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import { mayAsStaff } from './staff-rights.ts';

export interface Context<Providers = unknown> {
  viewer: Viewer;
  /** One unit of work: a request's, a job's, an event's. */
  em: EntityManager;
  clock: Clock;
  jobs: Jobs;
  /** Events of this process's live feed, for subscriptions; facts are appended by `appendEvents(ctx.em, ...)`. */
  events: LiveFeed;
  providers: Providers;
  log: Log;
  signal: AbortSignal;
  /** Of what a member of staff does. */
  trail?: Trail;
}

/** The account that a session or a key speaks for. Throws `session_invalid` for anybody else. */
export function accountOf({ viewer }: Pick<Context, 'viewer'>): string {
  if (viewer.kind === 'session' || viewer.kind === 'key') return viewer.accountId;
  throw fail('session_invalid');
}

/**
 * Staff give nothing to themselves, and decide nothing about what they pay: an act on the own account is another person's. Everybody else is not asked here.
 * Throws `own_account_refused`.
 */
export function refuseOwnAccount({ viewer }: Pick<Context, 'viewer'>, accountId: string): void {
  if (viewer.kind === 'session' && viewer.staff && viewer.accountId === accountId) throw fail('own_account_refused');
}

/** Whether the viewer may see things of this account: its owner, staff, or the platform itself. */
export const maySee = (viewer: Viewer, accountId: string): boolean =>
  viewer.kind === 'system' ||
  (viewer.kind === 'session' && (viewer.accountId === accountId || mayAsStaff(viewer, 'customers'))) ||
  (viewer.kind === 'key' && viewer.accountId === accountId);
