// Log-in and log-out, and the caller that a session token stands for.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import { permissionsOf } from '#platform/staff-permissions.ts';
import { type Account, accountWithEmail } from '../entities/account.ts';
import { deleteSession, sessionWithToken } from '../entities/session.ts';
import { type WaitingSignUps, waitingSignUps } from '../entities/sign-up.ts';
import type { IdentityContext } from '../context.ts';
import type { Waiter } from '../providers/hash-queue.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';
import { callerOfImpersonation, isOfImpersonation } from './impersonation.ts';
import { type DeviceTokens, knownDevice, networkHash, triesOf, waiterOf } from './known-devices.ts';
import { type NewSession, openSession } from './open-session.ts';
import { confirmSignUp } from './sign-up.ts';

export interface LogInInput {
  email: string;
  password: string;
  /** The token of a sign-up's link, from the browser that followed it. With it and the password of a sign-up the account is created. */
  verification?: string | null | undefined;
  /** The tokens of the browser's cookies, by which the account may know it. */
  devices?: DeviceTokens;
}

/**
 * Logs in. Right credentials pass, unless this network has failed too often with this address, or all networks together have (not for known devices): then
 * nothing is checked. Errors: credentials_wrong (unknown address and wrong password alike), email_not_verified (right password of a sign-up, without its link),
 * too_many_attempts.
 */
export async function createSession(
  ctx: IdentityContext,
  { email: address, password, verification, devices }: LogInInput,
): Promise<NewSession> {
  const { attempts, passwords } = ctx.providers;
  const email = address.trim().toLowerCase();
  const tokenHash = verification ? hashToken(verification) : undefined;
  const device = devices?.length ? await knownDevice(ctx, devices, (await accountWithEmail(ctx.em, email))?.id ?? 'nobody') : undefined;
  const waiter = waiterOf(ctx, device);
  // Nothing is looked up for visitors who have to wait, so a flood that is refused costs almost nothing.
  const admitted = await attempts.judge(triesOf(ctx, 'log_in', email, device), async () => {
    // Sign-ups are read before the account, so that of two log-ins that use the same link at once, the second finds the account.
    const waiting = await waitingSignUps(ctx.em, { email, now: ctx.clock.now(), askedFrom: networkHash(ctx), tokenHash });
    const account = (await accountWithEmail(ctx.em.fork(), email)) ?? undefined;
    const right = await passwords.verify(password, account?.passwordHash ?? undefined, waiter);
    return account && right ? account : admitSignUp(ctx, { password, waiting, taken: account !== undefined, waiter });
  });
  if (!admitted) throw fail('credentials_wrong');
  return openSession(ctx, admitted, { devices });
}

interface Admission {
  password: string;
  waiting: WaitingSignUps;
  /** Whether the address has an account. */
  taken: boolean;
  waiter: Waiter;
}

/**
 * Admits somebody by a sign-up. A refused log-in takes the same steps whether or not the address has an account: its look-ups, then two hashes, of which this
 * is the second. Undefined: the password is wrong. Any link to the address proves that its mail is read in this browser; which sign-up it was sent for does not
 * matter, since the password tells which one is meant.
 */
async function admitSignUp(
  ctx: IdentityContext,
  { password, waiting: { linked, newest }, taken, waiter }: Admission,
): Promise<Account | undefined> {
  const { passwords } = ctx.providers;
  const first = linked ?? newest;
  const isFirst = await passwords.verify(password, first?.passwordHash, waiter);
  // Somebody else may have signed up with this address meanwhile, and the link may belong to that sign-up.
  const isOther =
    !isFirst && linked && newest && newest.id !== linked.id && (await passwords.verify(password, newest.passwordHash, waiter));
  const right = isFirst ? first : isOther ? newest : null;
  if (!right) return undefined;
  if (taken || !linked) throw fail('email_not_verified');
  return confirmSignUp(ctx, right);
}

const NO_KEY = { keyId: null, scopes: [], impersonatedBy: null };

/** Ends the session with this token; false when there was none. */
export async function endSession(ctx: IdentityContext, token: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const session = await sessionWithToken(tx.em, hashToken(token));
    if (!session) return false;
    await deleteSession(tx.em, session.id);
    await record(tx, { type: 'session.ended', accountId: session.accountId, subject: session.id, actor: 'OWNER' });
    await tx.providers.signedOut(tx, session.accountId, { sessionId: session.id });
    await announceAccess(tx.em, session.id);
    return true;
  });
}

/**
 * The caller that a session token stands for: the person, or a member of the team that the session acts in. A member of staff has the rights of their roles only in a session that has passed a second factor. Errors:
 * session_invalid.
 */
export async function callerOfSession(ctx: IdentityContext, token: string) {
  if (isOfImpersonation(token)) return callerOfImpersonation(ctx, token);
  const session = await ctx.providers.sessions.validate(ctx.em, token);
  if (!session) throw fail('session_invalid');
  const { staffRoles, strong, teamId, ...caller } = session;
  const member = teamId === null ? undefined : await ctx.providers.memberIn(ctx.em, teamId, session.accountId);
  // The rights of staff end at the account of a team.
  if (member) return { ...caller, ...NO_KEY, accountId: teamId as string, role: 'CUSTOMER' as const, permissions: [], member };
  const role = strong ? session.role : ('CUSTOMER' as const);
  return { ...caller, role, permissions: role === 'STAFF' ? permissionsOf(staffRoles) : [], ...NO_KEY };
}
