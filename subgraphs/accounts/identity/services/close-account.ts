// An owner closes an account. Personal data is deleted at once, except what must be kept: for as long as `identity/domain/retention.ts` says, and no longer.
import { inTransaction } from '#platform/database.ts';
import { type KeptAfterClosing, keptAfterClosing } from '../domain/retention.ts';
import { eraseAccount } from '../entities/account.ts';
import { deleteIdentity } from '../entities/chat-identity.ts';
import { deletePasskeysOf } from '../entities/passkey.ts';
import { deleteCodes } from '../entities/recovery-code.ts';
import { deleteSignUps } from '../entities/sign-up.ts';
import { deleteTotp } from '../entities/totp.ts';
import type { IdentityContext } from '../context.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { killLinks } from './recovery.ts';
import { endSessions } from './sessions.ts';

/** Errors: credentials_wrong, sign_in_again, action_not_allowed (a subscription still renews), too_many_attempts. */
export async function closeAccount(ctx: IdentityContext, password: string | null | undefined): Promise<KeptAfterClosing[]> {
  const { id, email, language } = await reauthenticate(ctx, password);
  const kept = keptAfterClosing(ctx.providers.retention);
  await inTransaction(ctx, async (tx) => {
    await ctx.providers.endPartsOf(tx, id);
    if (email) await deleteSignUps(tx.em, email);
    await eraseAccount(tx.em, id, ctx.clock.now());
    await record(tx, { type: 'account.closed', accountId: id, subject: id });
    await endSessions(tx, id);
    await announceAccess(tx.em, id);
    if (email) await postMail(tx, email, 'account_closed', { kept }, language);
  });
  return kept;
}

/** Deletes the ways into an account that is being closed. */
export async function forgetWaysIn(tx: IdentityContext, accountId: string): Promise<void> {
  await killLinks(tx, accountId);
  for (const forget of [deleteIdentity, deletePasskeysOf, deleteTotp, deleteCodes]) await forget(tx.em, accountId);
}
