// What every use case is given, and nothing else.
import type { Pool } from 'pg';
import type { Clock } from './clock.ts';
import type { EntityManager, Trail } from './database.ts';
import type { LiveFeed } from './event-reader.ts';
import { fail } from './errors.ts';
import { type Viewer, mayReach, memberOf } from './identity.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import { mayAsStaff } from './staff-rights.ts';

export interface Context<Providers = unknown> {
  viewer: Viewer;
  /** The unit of work of one request, job or event. */
  em: EntityManager;
  /** For reads by key alone; undefined once `em` was used, so that they are part of its transaction. */
  pool?: Pool | undefined;
  clock: Clock;
  jobs: Jobs;
  /** The live feed of this process, for subscriptions. Append events by `appendEvents(ctx.em, ...)`. */
  events: LiveFeed;
  providers: Providers;
  log: Log;
  signal: AbortSignal;
  /** Records what a member of staff does. */
  trail?: Trail;
}

/** The account that a session or a key speaks for. Throws `session_invalid` for anybody else. */
export function accountOf({ viewer }: Pick<Context, 'viewer'>): string {
  if (viewer.kind === 'session' || viewer.kind === 'key') return viewer.accountId;
  throw fail('session_invalid');
}

/** An id that no account has. */
const NOBODY = '';

/** The same, to look for a plan or server of it: a member of a team who has no access to that one finds nothing. */
export const ownerOf = (ctx: Pick<Context, 'viewer'>, id: string): string => (mayReach(ctx.viewer, id) ? accountOf(ctx) : NOBODY);

/** The account of the person: with a member of a team the person's own, not the one that the member acts in. */
export const personOf = (ctx: Pick<Context, 'viewer'>): string => memberOf(ctx.viewer)?.accountId ?? accountOf(ctx);

/** Which member of a team it was, for the event of what was done: nothing for anybody else. */
export const doneBy = ({ viewer }: Pick<Context, 'viewer'>): { member?: string } => {
  const member = memberOf(viewer);
  return member ? { member: member.accountId } : {};
};

/** Who has set something, as rows keep it: a member of staff's account, or `command` for anybody who is not signed in. */
export const setterOf = (ctx: Pick<Context, 'viewer'>): string => (ctx.viewer.kind === 'session' ? personOf(ctx) : 'command');

/** Staff may not act on their own account: another member of staff must. Does nothing for other viewers. Throws `own_account_refused`. */
export function refuseOwnAccount({ viewer }: Pick<Context, 'viewer'>, accountId: string): void {
  if (viewer.kind === 'session' && viewer.staff && viewer.accountId === accountId) throw fail('own_account_refused');
}

/** Whether the viewer may see things of this account: its owner, staff, or the platform itself. `id`: of the plan or server, which not every member of a team sees. */
export const maySee = (viewer: Viewer, accountId: string, id?: string): boolean =>
  viewer.kind === 'system' ||
  (viewer.kind === 'session' &&
    ((viewer.accountId === accountId && (id === undefined || mayReach(viewer, id))) || mayAsStaff(viewer, 'customers'))) ||
  (viewer.kind === 'key' && viewer.accountId === accountId);
