import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { type Account, existingAccount, setPasswordHash } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { requireFitPassword } from './fit-password.ts';
import { postMail } from '../../mail/services/mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { killLinks } from './recovery.ts';
import { endSessions } from './sessions.ts';

/**
 * Changes the password of a signed-in account and ends its other sessions. Errors: credentials_wrong, password_unfit, no_password, too_many_attempts.
 */
export async function changePassword(ctx: IdentityContext, input: { current: string; password: string }): Promise<Account> {
  const account = await reauthenticate(ctx, input.current);
  if (!account.passwordHash || !account.email) throw fail('no_password');
  await requireFitPassword(ctx, input.password, account.email);
  const passwordHash = await ctx.providers.passwords.hash(input.password);
  const { id, email } = account;
  await inTransaction(ctx, async (tx) => {
    await setPasswordHash(tx.em, id, passwordHash);
    await killLinks(tx, id);
    await record(tx, { type: 'account.password_changed', accountId: id, subject: id });
    await endSessions(tx, id, ctx.viewer.kind === 'session' ? ctx.viewer.sessionId : undefined);
    await postMail(tx, email, 'password_changed', { url: `${ctx.providers.publicUrl}/settings` });
  });
  return existingAccount(ctx.em.fork(), id);
}
