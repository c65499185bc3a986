// Log-in and log-out, and who stands behind a session token.
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { appendEvents } from '#shared/events.ts';
import { hashToken } from '#shared/secrets.ts';
import { type Account, accountWithEmail } from '../entities/account.ts';
import { Session } from '../entities/session.ts';
import { SignUp } from '../entities/sign-up.ts';
import type { Context } from '../providers.ts';
import { announceAccess } from './access-notice.ts';

const LONGEST_AGENT = 300;

/** Errors: credentials_wrong (unknown address and wrong password alike), email_not_verified (right password of a sign-up whose link is unused), too_many_attempts. */
export async function createSession(
  ctx: Context,
  input: { email: string; password: string },
): Promise<{ token: string; expiresAt: Date; account: Account }> {
  const { attempts, passwords, sessions } = ctx.providers;
  const email = input.email.trim().toLowerCase();
  await attempts.count('log_in', `account ${email}`, `address ${ctx.viewer.address}`);
  const account = await accountWithEmail(ctx.em, email);
  const [waiting] = account
    ? []
    : await ctx.em.find(SignUp, { email, usedAt: null, expiresAt: { $gt: ctx.clock.now() } }, { orderBy: { id: 'desc' }, limit: 1 });
  const right = await passwords.verify(input.password, account?.passwordHash ?? waiting?.passwordHash);
  if (right && waiting) throw fail('email_not_verified');
  if (!right || !account) throw fail('credentials_wrong');
  await attempts.forgive('log_in', `account ${email}`);
  return inTransaction(ctx, async (tx) => {
    const from = { address: ctx.viewer.address, userAgent: (ctx.viewer.userAgent ?? '').slice(0, LONGEST_AGENT) };
    const { token, sessionId, expiresAt } = await sessions.create(tx.em, account.id, from);
    await appendEvents(tx.em, { type: 'session.started', at: ctx.clock.now(), accountId: account.id, subject: sessionId, data: from });
    return { token, expiresAt, account };
  });
}

/** Ends the session of a token; false when there was none. */
export async function endSession(ctx: Context, token: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const session = await tx.em.findOne(Session, { tokenHash: hashToken(token) });
    if (!session) return false;
    await tx.em.nativeDelete(Session, { id: session.id });
    await appendEvents(tx.em, { type: 'session.ended', at: ctx.clock.now(), accountId: session.accountId, subject: session.id });
    await announceAccess(tx.em, session.id);
    return true;
  });
}

/** Errors: session_invalid. */
export async function callerOfSession(ctx: Context, token: string) {
  const session = await ctx.providers.sessions.validate(ctx.em, token);
  if (!session) throw fail('session_invalid');
  return { ...session, keyId: null, scopes: [] };
}
