// Sign-up by e-mail and password. Known and unknown addresses are answered alike; which it was, only the mail says.
//
// A link alone makes no account: it is the log-in with the password of a sign-up with the same address, in the browser that followed the link, that
// does. So whoever signs up with another person's address gets nothing when that person follows the link, and nothing when they sign up themselves:
// the account has the password of who reads the mail.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Language } from '#platform/language.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';
import { checkEmail } from '../domain/password.ts';
import { type AccountRole, type Account, accountWithEmail, insertAccount } from '../entities/account.ts';
import type { Accepted } from '../domain/legal-text.ts';
import { insertConsents } from '../entities/legal-text.ts';
import { type SignUp, insertSignUp, newestSignUp, takeSignUp, voidSignUps, waitingSignUp } from '../entities/sign-up.ts';
import { replaceRoles } from '../entities/staff-role.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { requireAccepted } from './legal-texts.ts';
import { requireFitPassword } from './fit-password.ts';
import { networkHash, networksOf, waiterOf } from './known-devices.ts';
import { postMail } from '../../mail/services/mails.ts';

/** Spec is silent: a verification link works for a day. */
const LINK_HOURS = 24;

/** Errors: email_invalid, password_unfit, consent_required, too_many_attempts. */
export async function signUp(
  ctx: IdentityContext,
  input: { email: string; password: string; accepts?: readonly Accepted[] | null },
): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  await requireFitPassword(ctx, input.password, email);
  const texts = await requireAccepted(ctx, input.accepts ?? []);
  const accepted = texts.length > 0 ? { texts, address: ctx.viewer.address } : null;
  await ctx.providers.attempts.count(networksOf(ctx, 'mail'));
  // Hashed and stored in both cases, so that neither the time nor a later log-in with this password tells which it was.
  const passwordHash = await ctx.providers.passwords.hash(input.password, waiterOf(ctx, undefined));
  const mails = await mayMail(ctx, email);
  const language = ctx.viewer.language ?? 'en';
  await inTransaction(ctx, async (tx) => {
    const token = await addSignUp(tx, { email, passwordHash, askedFrom: networkHash(ctx), language, accepted });
    const known = await accountWithEmail(tx.em, email);
    if (!mails) return;
    await (known
      ? postMail(tx, email, 'account_exists', { url: `${ctx.providers.publicUrl}/sign-in` })
      : mailLink(tx, { email, language }, token));
  });
  return { email };
}

async function addSignUp(
  { em, clock }: IdentityContext,
  { email, passwordHash, askedFrom, language, accepted }: Pick<SignUp, 'email' | 'passwordHash' | 'askedFrom' | 'language' | 'accepted'>,
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  await insertSignUp(em, {
    id: newId('link', clock),
    email: email.toLowerCase(),
    passwordHash,
    askedFrom,
    language,
    accepted,
    tokenHash: hashToken(token),
    createdAt: now,
    expiresAt: after(now, LINK_HOURS * HOUR),
  });
  return token;
}

const mailLink = (ctx: IdentityContext, { email, language }: Pick<SignUp, 'email' | 'language'>, token: string): Promise<void> =>
  postMail(ctx, email, 'verify_email', { url: `${ctx.providers.publicUrl}/auth/verify?token=${token}`, hours: LINK_HOURS }, language);

/**
 * Whether an address gets one more mail. What is too many is answered like the rest, and the sign-up stands: each link to this address that was sent
 * before proves that its mail is read, and the password tells which sign-up it is for. So strangers who sign up with it keep nobody out.
 */
function mayMail(ctx: IdentityContext, email: string): Promise<boolean> {
  const name = email.toLowerCase();
  const [group] = networksOf(ctx, 'mail');
  return ctx.providers.attempts.allows([
    { kind: 'mail_pair', name: `${group?.name} ${name}` },
    { kind: 'mail_name', name },
  ]);
}

/** A new link for the newest sign-up under this address; what there is to do is found out by a job. Errors: email_invalid, too_many_attempts. */
export async function resendVerification(ctx: IdentityContext, input: { email: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  await ctx.providers.attempts.count(networksOf(ctx, 'mail'));
  if (!(await mayMail(ctx, email))) return { email };
  await inTransaction(ctx, (tx) => tx.jobs.enqueue(tx.em, 'accounts.verification-mail', { email }));
  return { email };
}

/** Job: mails the link, when a sign-up waits and no account has the address; whether it did. */
export const mailVerification = (ctx: IdentityContext, email: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const newest = await newestSignUp(tx.em, email);
    if (!newest || newest.usedAt || (await accountWithEmail(tx.em, email))) return false;
    const { passwordHash, askedFrom, language, accepted } = newest;
    await mailLink(tx, { email, language }, await addSignUp(tx, { email, passwordHash, askedFrom, language, accepted }));
    return true;
  });

/** Says whose a link is, and that it can still be used; the log-in uses it. Errors: token_invalid. */
export async function checkVerification(ctx: IdentityContext, token: string): Promise<{ email: string }> {
  const found = await waitingSignUp(ctx.em, hashToken(token), ctx.clock.now());
  if (!found || (await accountWithEmail(ctx.em, found.email))) throw fail('token_invalid');
  return { email: found.email };
}

/** Makes the account of a sign-up whose link and password have both been shown: once, whatever is repeated. */
export async function confirmSignUp(
  ctx: IdentityContext,
  { id, email, passwordHash, language, accepted, createdAt }: SignUp,
): Promise<Account> {
  await inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    if (!(await takeSignUp(tx.em, id, now))) return;
    // Every other sign-up with this address is void from now on.
    await voidSignUps(tx.em, email, now);
    const accountId = await createAccount(tx, { email, passwordHash, language });
    if (accepted) await insertConsents(tx.em, accountId, accepted.texts, { givenAt: createdAt, address: accepted.address });
    await record(tx, { type: 'account.verified', accountId, subject: accountId, actor: 'OWNER' });
  });
  const account = await accountWithEmail(ctx.em.fork(), email);
  // Another sign-up may have been quicker: this password is then nobody's.
  if (account?.passwordHash !== passwordHash) throw fail('credentials_wrong');
  return account;
}

/** A verified account: by a confirmed sign-up, by the seed, by support. Inside the caller's transaction. */
export async function createAccount(
  ctx: IdentityContext,
  input: {
    email: string | null;
    passwordHash: string | null;
    role?: AccountRole;
    /** Of a member of staff; absent: an owner. */
    staffRoles?: readonly StaffRole[];
    language?: Language | undefined;
  },
): Promise<string> {
  const now = ctx.clock.now();
  const id = newId('acct', ctx.clock);
  await insertAccount(ctx.em, {
    id,
    email: input.email,
    passwordHash: input.passwordHash,
    emailVerifiedAt: input.email === null ? null : now,
    role: input.role ?? 'CUSTOMER',
    language: input.language ?? 'en',
    createdAt: now,
  });
  if (input.role === 'STAFF') await replaceRoles(ctx.em, id, { roles: input.staffRoles ?? ['OWNER'], givenAt: now, givenBy: null });
  await record(ctx, { type: 'account.created', accountId: id, subject: id, ...(ctx.viewer.kind === 'anonymous' && { actor: 'OWNER' }) });
  return id;
}
