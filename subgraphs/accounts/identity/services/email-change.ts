// Changes the address of an account, or gives a first one to an account that began by chat. The links must be followed in a session of the account itself, so
// that nobody can attach another person's address to an account of their own by talking that person into following a link.
import { HOUR, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { checkEmail } from '../domain/password.ts';
import { type Account, accountWithEmail, accountWithId, existingAccount, setEmail } from '../entities/account.ts';
import { closeEmailChanges, followEmailLink, followedEmailChange, insertEmailChange } from '../entities/email-change.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { requireFitPassword } from './fit-password.ts';
import { postMail } from '../../mail/services/mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { killLinks } from './recovery.ts';

const LINK_HOURS = 24;

/**
 * Begins a change: mails a link to both addresses. The answer is the same whether or not the new address is taken. Errors: email_invalid, credentials_wrong,
 * no_password, too_many_attempts.
 */
export async function changeEmail(ctx: IdentityContext, input: { email: string; password: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  const account = await reauthenticate(ctx, input.password);
  if (!account.email || !account.passwordHash) throw fail('no_password');
  return startChange(ctx, account, email, null);
}

/**
 * Begins to add an address and a password to an account that has no password, as a second way in. Errors: email_invalid, password_unfit, password_exists,
 * sign_in_again, too_many_attempts.
 */
export async function addPassword(ctx: IdentityContext, input: { email: string; password: string }): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  await requireFitPassword(ctx, input.password, email);
  const known = await accountWithId(ctx.em, accountOf(ctx));
  if (known?.passwordHash) throw fail('password_exists');
  const account = await reauthenticate(ctx, null);
  return startChange(ctx, account, email, await ctx.providers.passwords.hash(input.password));
}

async function startChange(ctx: IdentityContext, account: Account, email: string, passwordHash: string | null): Promise<{ email: string }> {
  await ctx.providers.attempts.count([{ kind: 'mail_account', name: account.id }]);
  const now = ctx.clock.now();
  const newLink = newToken();
  const oldLink = account.email ? newToken() : null;
  const urlOf = (token: string) => `${ctx.providers.publicUrl}/settings/confirm?token=${token}`;
  await inTransaction(ctx, async (tx) => {
    await closeEmailChanges(tx.em, account.id, now);
    const taken = await accountWithEmail(tx.em, email);
    await insertEmailChange(tx.em, {
      id: newId('link', ctx.clock),
      accountId: account.id,
      email: email.toLowerCase(),
      passwordHash,
      oldTokenHash: oldLink && hashToken(oldLink),
      newTokenHash: hashToken(newLink),
      createdAt: now,
      expiresAt: after(now, LINK_HOURS * HOUR),
    });
    await record(tx, { type: 'account.email_change_asked', accountId: account.id, subject: account.id });
    if (account.email && oldLink) await postMail(tx, account.email, 'email_change_old', { email, url: urlOf(oldLink), hours: LINK_HOURS });
    if (taken) await postMail(tx, email, 'account_exists', { url: `${ctx.providers.publicUrl}/sign-in` });
    else await postMail(tx, email, 'email_change_new', { url: urlOf(newLink), hours: LINK_HOURS }, account.language);
  });
  return { email };
}

/** Follows one of the two links, in a session of the same account. `done`: the address has changed. Errors: token_invalid. */
export async function confirmEmail(ctx: IdentityContext, token: string): Promise<{ email: string; done: boolean }> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    if (!(await followEmailLink(tx.em, accountId, hashToken(token), now))) throw fail('token_invalid');
    const change = await followedEmailChange(tx.em, accountId, now);
    if (!change.newConfirmedAt || (change.oldTokenHash !== null && !change.oldConfirmedAt)) return { email: change.email, done: false };
    if (await accountWithEmail(tx.em, change.email)) throw fail('token_invalid');
    const { email: before, language } = await existingAccount(tx.em, accountId);
    await setEmail(tx.em, accountId, { email: change.email, passwordHash: change.passwordHash, now });
    await killLinks(tx, accountId);
    await record(tx, { type: 'account.email_changed', accountId, subject: accountId });
    if (before) await postMail(tx, before, 'email_changed', { email: change.email }, language);
    return { email: change.email, done: true };
  });
}
