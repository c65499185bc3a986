// Log-in and log-out, and who stands behind a session token.
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { hashToken } from '#shared/secrets.ts';
import { type Account, accountWithEmail } from '../entities/account.ts';
import { Session } from '../entities/session.ts';
import { type SignUp, newestSignUp } from '../entities/sign-up.ts';
import type { Context } from '../providers.ts';
import { announceAccess } from './access-notice.ts';
import { record } from './activity.ts';
import { type NewSession, openSession } from './open-session.ts';
import { confirmSignUp } from './sign-up.ts';

/**
 * `verification` is the token of a sign-up's link, from the browser that followed it: with it and the password of that sign-up the account comes to exist.
 * Errors: credentials_wrong (unknown address and wrong password alike), email_not_verified (right password of a sign-up, without its link), too_many_attempts.
 */
export async function createSession(
  ctx: Context,
  { email: address, password, verification }: { email: string; password: string; verification?: string | null | undefined },
): Promise<NewSession> {
  const { attempts, passwords } = ctx.providers;
  const email = address.trim().toLowerCase();
  await attempts.count('log_in', `account ${email}`);
  await attempts.count('log_in_from', `address ${ctx.viewer.address}`);
  // The sign-up before the account: whoever finds neither comes after nobody, also when the same link is used twice at once.
  const waiting = await newestSignUp(ctx.em, email, ctx.clock.now(), verification ? hashToken(verification) : undefined);
  const account = (await accountWithEmail(ctx.em, email)) ?? undefined;
  const right = await passwords.verify(password, account?.passwordHash ?? undefined);
  const admitted = account && right ? account : await admitSignUp(ctx, { password, verification, waiting, taken: account !== undefined });
  await attempts.forgive('log_in', `account ${email}`);
  return openSession(ctx, admitted);
}

interface Admission {
  password: string;
  verification: string | null | undefined;
  waiting: SignUp | null;
  /** Whether the address has an account. */
  taken: boolean;
}

/** A refused log-in takes the same steps whether or not the address has an account: two look-ups, then two hashes, of which this is the second. */
async function admitSignUp(ctx: Context, { password, verification, waiting, taken }: Admission): Promise<Account> {
  const right = await ctx.providers.passwords.verify(password, waiting?.passwordHash);
  if (!right || !waiting) throw fail('credentials_wrong');
  if (taken || !verification || waiting.tokenHash !== hashToken(verification)) throw fail('email_not_verified');
  return confirmSignUp(ctx, waiting);
}

/** Ends the session of a token; false when there was none. */
export async function endSession(ctx: Context, token: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const session = await tx.em.findOne(Session, { tokenHash: hashToken(token) });
    if (!session) return false;
    await tx.em.nativeDelete(Session, { id: session.id });
    await record(tx, { type: 'session.ended', accountId: session.accountId, subject: session.id, actor: 'OWNER' });
    await announceAccess(tx.em, session.id);
    return true;
  });
}

/** Errors: session_invalid. A member of support has the role's rights only in a session that has passed a second factor. */
export async function callerOfSession(ctx: Context, token: string) {
  const session = await ctx.providers.sessions.validate(ctx.em, token);
  if (!session) throw fail('session_invalid');
  return { ...session, role: session.strong ? session.role : ('CUSTOMER' as const), keyId: null, scopes: [] };
}
