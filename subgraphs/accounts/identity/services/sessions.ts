// The sessions of an account: who is signed in, from where, and how sessions end. Every process learns at once that a session has ended.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { deleteDeviceOfSession, deleteDevicesOf } from '../entities/known-device.ts';
import { deleteSession, deleteSessionsOf } from '../entities/session.ts';
import type { IdentityContext } from '../context.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';

/** Ends one session of the caller's, and forgets its device. Errors: session_not_found. */
export async function closeSession(ctx: IdentityContext, id: string): Promise<string> {
  const accountId = accountOf(ctx);
  await inTransaction(ctx, async (tx) => {
    if (!(await deleteSession(tx.em, id, accountId))) throw fail('session_not_found');
    await record(tx, { type: 'session.ended', accountId, subject: id });
    await deleteDeviceOfSession(tx.em, accountId, id);
    await tx.providers.signedOut(tx, accountId, { sessionId: id });
    await announceAccess(tx.em, id);
  });
  return id;
}

/** Ends every session of the caller's account, with `exceptCurrent` all others, and returns how many. */
export function closeOwnSessions(ctx: IdentityContext, exceptCurrent: boolean): Promise<number> {
  const except = exceptCurrent && ctx.viewer.kind === 'session' ? ctx.viewer.sessionId : undefined;
  return inTransaction(ctx, (tx) => endSessions(tx, accountOf(tx), except));
}

/** Ends the sessions of an account, and forgets its devices, in the caller's transaction; `except` is the id of one that stays. */
export async function endSessions(ctx: IdentityContext, accountId: string, except?: string): Promise<number> {
  const ended = await deleteSessionsOf(ctx.em, accountId, except);
  await deleteDevicesOf(ctx.em, accountId, except);
  await ctx.providers.signedOut(ctx, accountId, { except });
  if (ended > 0) await record(ctx, { type: 'session.all_ended', accountId, subject: accountId, data: { count: ended } });
  await announceAccess(ctx.em, accountId);
  return ended;
}
