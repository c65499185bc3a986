// The end of an account, by its owner. What leads to a person goes at once; what must be kept is kept as long as identity/domain/retention.ts says, and no longer.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { AFTER_CLOSING } from '../domain/retention.ts';
import { eraseAccount } from '../entities/account.ts';
import { keysNotRevoked } from '../../keys/entities/api-key.ts';
import { willBeCharged } from '../../billing/subscriptions/entities/billing-subscription.ts';
import { deleteIdentity } from '../entities/chat-identity.ts';
import { deleteKeyRequests } from '../../keys/entities/key-request.ts';
import { deletePasskeysOf } from '../entities/passkey.ts';
import { deleteCodes } from '../entities/recovery-code.ts';
import { deleteSalesRequests } from '../../support/entities/sales-request.ts';
import { deleteSignUps } from '../entities/sign-up.ts';
import { deleteTotp } from '../entities/totp.ts';
import type { Context } from '../../providers.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';
import { revokeKey } from '../../keys/services/api-keys.ts';
import { postMail } from '../../mail/services/mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { killLinks } from './recovery.ts';
import { endSessions } from './sessions.ts';

/** Errors: credentials_wrong, sign_in_again, action_not_allowed (a subscription still renews), too_many_attempts. */
export async function closeAccount(ctx: Context, password: string | null | undefined): Promise<typeof AFTER_CLOSING> {
  const { id, email } = await reauthenticate(ctx, password);
  await inTransaction(ctx, async (tx) => {
    if (await willBeCharged(tx.em, id))
      throw fail('action_not_allowed', { reason: 'Cancel your subscriptions first: they would be charged again.' });
    for (const key of await keysNotRevoked(tx.em, id)) await revokeKey(tx, key);
    await killLinks(tx, id);
    for (const forget of [deleteIdentity, deletePasskeysOf, deleteTotp, deleteCodes, deleteKeyRequests, deleteSalesRequests])
      await forget(tx.em, id);
    if (email) await deleteSignUps(tx.em, email);
    await eraseAccount(tx.em, id, ctx.clock.now());
    await record(tx, { type: 'account.closed', accountId: id, subject: id });
    await endSessions(tx, id);
    await announceAccess(tx.em, id);
    if (email)
      await postMail(tx, email, 'account_closed', { kept: AFTER_CLOSING.map(({ what, days, why }) => `${what}: ${days} days, ${why}.`) });
  });
  return AFTER_CLOSING;
}
