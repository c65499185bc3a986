// Sign-up by e-mail and password. Known and unknown addresses are answered alike; which it was, only the mail says.
import { HOUR, after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { appendEvents } from '#shared/events.ts';
import { newId } from '#shared/ids.ts';
import { hashToken, newToken } from '#shared/secrets.ts';
import { checkEmail, checkPassword } from '../domain/password.ts';
import { Account, accountWithEmail } from '../entities/account.ts';
import { SignUp } from '../entities/sign-up.ts';
import type { Context } from '../providers.ts';
import { postMail } from './mails.ts';

/** Spec is silent: a verification link works for a day. */
const LINK_HOURS = 24;

async function mailLink(ctx: Context, signUp: { email: string; passwordHash: string }): Promise<void> {
  const token = newToken();
  const now = ctx.clock.now();
  // Earlier links to this address die: of several sign-ups only the newest can become the account.
  await ctx.em.nativeUpdate(SignUp, { email: signUp.email.toLowerCase(), usedAt: null }, { usedAt: now });
  await ctx.em.insert(SignUp, {
    id: newId('mail', ctx.clock),
    email: signUp.email.toLowerCase(),
    passwordHash: signUp.passwordHash,
    tokenHash: hashToken(token),
    createdAt: now,
    expiresAt: after(now, LINK_HOURS * HOUR),
    usedAt: null,
  });
  await postMail(ctx, signUp.email, 'verify_email', { url: `${ctx.providers.publicUrl}/verify?token=${token}`, hours: LINK_HOURS });
}

/** Errors: email_invalid, password_unfit, too_many_attempts. */
export async function signUp(ctx: Context, input: { email: string; password: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  checkPassword(input.password, email);
  await ctx.providers.attempts.count('mail', `to ${email.toLowerCase()}`);
  // Hashed in both cases, so that the time tells nothing either.
  const passwordHash = await ctx.providers.passwords.hash(input.password);
  await inTransaction(ctx, async (tx) => {
    const existing = await accountWithEmail(tx.em, email);
    if (existing) await postMail(tx, email, 'account_exists', { url: `${ctx.providers.publicUrl}/sign-in` });
    else await mailLink(tx, { email, passwordHash });
  });
  return { email };
}

/** A new link for the newest sign-up under this address; silent when there is none. Errors: email_invalid, too_many_attempts. */
export async function resendVerification(ctx: Context, input: { email: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  await ctx.providers.attempts.count('mail', `to ${email.toLowerCase()}`);
  await inTransaction(ctx, async (tx) => {
    const [newest] = await tx.em.find(SignUp, { email: email.toLowerCase() }, { orderBy: { id: 'desc' }, limit: 1 });
    if (newest && !(await accountWithEmail(tx.em, email))) await mailLink(tx, { email, passwordHash: newest.passwordHash });
  });
  return { email };
}

/** Uses a link once: of several at the same time one succeeds, and the account exists from then on. Errors: token_invalid. */
export async function verifyEmail(ctx: Context, token: string): Promise<{ email: string }> {
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const tokenHash = hashToken(token);
    const used = await tx.em.nativeUpdate(SignUp, { tokenHash, usedAt: null, expiresAt: { $gt: now } }, { usedAt: now });
    if (used !== 1) throw fail('token_invalid');
    const { email, passwordHash } = await tx.em.findOneOrFail(SignUp, { tokenHash });
    if (await accountWithEmail(tx.em, email)) throw fail('token_invalid');
    const accountId = await createAccount(tx, { email, passwordHash });
    await appendEvents(tx.em, { type: 'account.verified', at: now, accountId, subject: accountId });
    return { email };
  });
}

/** A verified account: by a used link, by the seed, by support. Inside the caller's transaction. */
export async function createAccount(
  ctx: Context,
  input: { email: string; passwordHash: string; role?: 'CUSTOMER' | 'STAFF' },
): Promise<string> {
  const now = ctx.clock.now();
  const id = newId('acct', ctx.clock);
  await ctx.em.insert(Account, {
    id,
    email: input.email,
    passwordHash: input.passwordHash,
    emailVerifiedAt: now,
    role: input.role ?? 'CUSTOMER',
    apiAllowed: true,
    createdAt: now,
  });
  await appendEvents(ctx.em, { type: 'account.created', at: now, accountId: id, subject: id });
  return id;
}
