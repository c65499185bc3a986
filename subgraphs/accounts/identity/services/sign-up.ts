// Sign-up by e-mail address and password. Known and unknown addresses get the same answer; only the mail tells which it was. A link alone creates no account.
// It is created when the browser that follows the link shows that it belongs to the person who signed up: it holds the token that the sign-up gave it
// (`sign-up-link.ts`), or a log-in in it has the password. So whoever signs up with another person's address gets nothing when that person follows the link,
// and nothing when that person signs up too: the account gets the password of the person who reads the mail.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Language } from '#platform/language.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';
import { withNext } from '../../../../schema/limits.ts';
import { checkNext } from '../domain/next-page.ts';
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

interface SignUpInput {
  email: string;
  password: string;
  accepts?: readonly Accepted[] | null;
  /** The page that the visitor is on the way to. */
  next?: string | null | undefined;
}

/**
 * Begins a sign-up; `browser` is for the browser that asks, and for nobody else. Errors: email_invalid, password_unfit, consent_required, parameter_invalid,
 * too_many_attempts.
 */
export async function signUp(ctx: IdentityContext, input: SignUpInput): Promise<{ email: string; browser: string; expiresAt: Date }> {
  const email = checkEmail(input.email);
  const next = checkNext(input.next);
  await requireFitPassword(ctx, input.password, email);
  const texts = await requireAccepted(ctx, input.accepts ?? []);
  const accepted = texts.length > 0 ? { texts, address: ctx.viewer.address } : null;
  await ctx.providers.attempts.count(networksOf(ctx, 'mail'));
  // The password is hashed and the sign-up stored in both cases, so that neither the time nor a later log-in with this password tells which it was.
  const passwordHash = await ctx.providers.passwords.hash(input.password, waiterOf(ctx, undefined));
  const mails = await mayMail(ctx, email);
  const language = ctx.viewer.language ?? 'en';
  const browser = newToken();
  await inTransaction(ctx, async (tx) => {
    const kept = { email, passwordHash, askedFrom: networkHash(ctx), language, accepted, browserHash: hashToken(browser), next };
    const token = await addSignUp(tx, kept);
    const known = await accountWithEmail(tx.em, email);
    if (!mails) return;
    await (known ? postMail(tx, email, 'account_exists', { url: signInAddress(ctx, next) }) : mailLink(tx, { email, language }, token));
  });
  return { email, browser, expiresAt: after(ctx.clock.now(), LINK_HOURS * HOUR) };
}

const signInAddress = ({ providers }: IdentityContext, next: string | null): string => withNext(`${providers.publicUrl}/sign-in`, next);

/** What a sign-up keeps, also when its link is sent again. */
type Kept = Pick<SignUp, 'email' | 'passwordHash' | 'askedFrom' | 'language' | 'accepted' | 'browserHash' | 'next'>;

async function addSignUp(
  { em, clock }: IdentityContext,
  { email, passwordHash, askedFrom, language, accepted, browserHash, next }: Kept,
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
    browserHash,
    next,
    tokenHash: hashToken(token),
    createdAt: now,
    expiresAt: after(now, LINK_HOURS * HOUR),
  });
  return token;
}

const mailLink = (ctx: IdentityContext, { email, language }: Pick<SignUp, 'email' | 'language'>, token: string): Promise<void> =>
  postMail(ctx, email, 'verify_email', { url: `${ctx.providers.publicUrl}/auth/verify?token=${token}`, hours: LINK_HOURS }, language);

/**
 * Whether an address may get one more mail. Otherwise the answer is the same and the sign-up is stored: any link that was sent to this address before proves
 * that its mail is read, and the password tells which sign-up is meant. So strangers who sign up with it keep nobody out.
 */
function mayMail(ctx: IdentityContext, email: string): Promise<boolean> {
  const name = email.toLowerCase();
  const [group] = networksOf(ctx, 'mail');
  return ctx.providers.attempts.allows([
    { kind: 'mail_pair', name: `${group?.name} ${name}` },
    { kind: 'mail_name', name },
  ]);
}

/** Asks for a new link for the newest sign-up with this address; a job does the work. Errors: email_invalid, too_many_attempts. */
export async function resendVerification(ctx: IdentityContext, input: { email: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  await ctx.providers.attempts.count(networksOf(ctx, 'mail'));
  if (!(await mayMail(ctx, email))) return { email };
  await inTransaction(ctx, (tx) => tx.jobs.enqueue(tx.em, 'accounts.verification-mail', { email }));
  return { email };
}

/** Job: mails the link when a sign-up waits and no account has the address; returns whether it did. */
export const mailVerification = (ctx: IdentityContext, email: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const newest = await newestSignUp(tx.em, email);
    if (!newest || newest.usedAt || (await accountWithEmail(tx.em, email))) return false;
    await mailLink(tx, { email, language: newest.language }, await addSignUp(tx, { ...newest, email }));
    return true;
  });

/** The address of a link that can still be used; the link is not used up, the log-in does that. Errors: token_invalid. */
export async function checkVerification(ctx: IdentityContext, token: string): Promise<{ email: string }> {
  const found = await waitingSignUp(ctx.em, hashToken(token), ctx.clock.now());
  if (!found || (await accountWithEmail(ctx.em, found.email))) throw fail('token_invalid');
  return { email: found.email };
}

/** Creates the account of a sign-up whose link and password have both been shown; once, also when it is called again. */
export async function confirmSignUp(ctx: IdentityContext, signUp: SignUp): Promise<Account> {
  await useSignUp(ctx, signUp);
  const account = await accountWithEmail(ctx.em.fork(), signUp.email);
  // Another sign-up may have been faster: this password then belongs to no account.
  if (account?.passwordHash !== signUp.passwordHash) throw fail('credentials_wrong');
  return account;
}

/** Creates the account of a sign-up; false when it was used already. */
export function useSignUp(ctx: IdentityContext, signUp: SignUp): Promise<boolean> {
  const { id, email, passwordHash, language, accepted, createdAt } = signUp;
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    if (!(await takeSignUp(tx.em, id, now))) return false;
    // All other sign-ups with this address are void from now on.
    await voidSignUps(tx.em, email, now);
    const accountId = await createAccount(tx, { email, passwordHash, language });
    if (accepted) await insertConsents(tx.em, accountId, accepted.texts, { givenAt: createdAt, address: accepted.address });
    await record(tx, { type: 'account.verified', accountId, subject: accountId, actor: 'OWNER' });
    return true;
  });
}

/** Creates a verified account: for a confirmed sign-up, a person of the chat platform, the seed, or the set-up. In the caller's transaction. */
export async function createAccount(
  ctx: IdentityContext,
  input: {
    email: string | null;
    passwordHash: string | null;
    role?: AccountRole;
    /** The roles of a member of staff; absent: OWNER. */
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
