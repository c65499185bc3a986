// Sticky sessions, on which all nodes agree: the first claim of a session number decides its exit until the session ends.
import { DAY, after } from '#platform/clock.ts';
import type { ClaimedSession, SessionClaim } from '../../../../edge/protocol/control-plane.ts';
import { claimSessions, forgetSessions } from '../entities/sticky-session.ts';
import type { Context } from '../../edges/context.ts';

const BATCH_SIZE = 5_000;
/** Ended sessions are kept for a day, for the count of lives of their number. */
const REMEMBERED_MS = DAY;

/** Answers in the order of the claims, whose keys must be distinct. */
export async function claimStickySessions(ctx: Context, claims: readonly SessionClaim[]): Promise<ClaimedSession[]> {
  if (claims.length === 0) return [];
  const now = ctx.clock.now();
  const sessions = claims.map(({ key, exitId, spareId, after: followed, life, lifetimeMs, lost }) => ({
    key,
    exitId,
    spareId: spareId ?? null,
    after: followed ?? null,
    life,
    endsAt: after(now, lifetimeMs),
    lost: lost ?? null,
  }));
  return (await claimSessions(ctx.em, sessions, now)).map(({ exitId, life, endsAt }) => ({
    exitId,
    life,
    leftMs: endsAt.getTime() - now.getTime(),
  }));
}

export async function forgetStickySessions(ctx: Context): Promise<void> {
  const moment = after(ctx.clock.now(), -REMEMBERED_MS);
  while ((await forgetSessions(ctx.em, moment, BATCH_SIZE)) === BATCH_SIZE);
}
