// Recovery after a forgotten password: a link by mail sets a new one, once, and ends whatever somebody else had open.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { type LinkAsked, checkNext } from '../domain/next-page.ts';
import { checkEmail } from '../domain/password.ts';
import { lockAccountWithEmail, openAccount, setPasswordHash } from '../entities/account.ts';
import { closeEmailChanges } from '../entities/email-change.ts';
import { insertRecovery, isRecoveryWaiting, openRecovery, useRecovery, voidRecoveries } from '../entities/recovery.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { requireFitPassword } from './fit-password.ts';
import { trustMailedToken } from './known-devices.ts';
import { postMail } from '../../mail/services/mails.ts';
import { endSessions } from './sessions.ts';
import { RECOVERY_LINK_HOURS } from '../../../../schema/limits.ts';

/**
 * Asks for a link. It gives the same answer, as fast, for known and unknown addresses, since a job does the work. Errors: email_invalid, parameter_invalid.
 */
export async function askRecovery(ctx: IdentityContext, input: LinkAsked): Promise<{ email: string }> {
  const email = checkEmail(input.email);
  const next = checkNext(input.next);
  await inTransaction(ctx, (tx) =>
    tx.jobs.enqueue(tx.em, 'accounts.recovery-mail', { email, ...(next !== null && { next }) }, { key: email.toLowerCase() }),
  );
  return { email };
}

/** Job: mails the link when the address has an account and no link of the last hour is unused: however often somebody asks, that link stays valid. */
export async function mailRecovery(ctx: IdentityContext, { email, next }: LinkAsked): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const account = await lockAccountWithEmail(tx.em, email);
    if (!account?.email) return;
    if (await isRecoveryWaiting(tx.em, account.id, after(ctx.clock.now(), -HOUR))) return;
    const token = newToken();
    const now = ctx.clock.now();
    await insertRecovery(tx.em, {
      id: newId('link', ctx.clock),
      accountId: account.id,
      tokenHash: hashToken(token),
      createdAt: now,
      expiresAt: after(now, RECOVERY_LINK_HOURS * HOUR),
    });
    await record(tx, { type: 'account.recovery_asked', accountId: account.id, subject: account.id, actor: 'VISITOR' });
    const search = new URLSearchParams({ token, ...(next != null && { next }) });
    await postMail(tx, account.email, 'recover', { url: `${ctx.providers.publicUrl}/recover?${search}`, hours: RECOVERY_LINK_HOURS });
  });
}

/**
 * Sets a new password by a link, once. All sessions end, and all other links of the account become void, so that an intruder is out. For the next log-in the
 * link's token stands for a device that the account knows, so that strangers' guesses do not delay the owner. Errors: token_invalid, password_unfit.
 */
export async function recover(ctx: IdentityContext, input: { token: string; password: string }): Promise<{ email: string }> {
  const tokenHash = hashToken(input.token);
  const found = await openRecovery(ctx.em, tokenHash, ctx.clock.now());
  const owner = found && (await openAccount(ctx.em, found.accountId));
  if (!owner?.email) throw fail('token_invalid');
  const { id, email } = owner;
  await requireFitPassword(ctx, input.password, email);
  const passwordHash = await ctx.providers.passwords.hash(input.password);
  await inTransaction(ctx, async (tx) => {
    if (!(await useRecovery(tx.em, tokenHash, ctx.clock.now()))) throw fail('token_invalid');
    await setPasswordHash(tx.em, id, passwordHash);
    await killLinks(tx, id);
    await record(tx, { type: 'account.recovered', accountId: id, subject: id, actor: 'VISITOR' });
    await endSessions(tx, id);
    await trustMailedToken(tx, id, input.token);
    await postMail(tx, email, 'password_changed', { url: `${ctx.providers.publicUrl}/settings` });
  });
  return { email };
}

/** Makes all links from before a change of the ways in void. */
export async function killLinks(ctx: IdentityContext, accountId: string): Promise<void> {
  const now = ctx.clock.now();
  await voidRecoveries(ctx.em, accountId, now);
  await closeEmailChanges(ctx.em, accountId, now);
}
