// The end of an account, by its owner. What leads to a person goes at once; what must be kept is kept as long as identity/domain/retention.ts says, and no longer.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { AFTER_CLOSING } from '../domain/retention.ts';
import { Account } from '../entities/account.ts';
import { ApiKey } from '../../keys/entities/api-key.ts';
import { BillingSubscription } from '../../billing/subscriptions/entities/billing-subscription.ts';
import { ChatIdentity } from '../entities/chat-identity.ts';
import { KeyRequest } from '../../keys/entities/key-request.ts';
import { Passkey } from '../entities/passkey.ts';
import { RecoveryCode } from '../entities/recovery-code.ts';
import { SalesRequest } from '../../support/entities/sales-request.ts';
import { SignUp } from '../entities/sign-up.ts';
import { Totp } from '../entities/totp.ts';
import type { Context } from '../../providers.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';
import { revokeKey } from '../../keys/services/api-keys.ts';
import { postMail } from '../../mail/services/mails.ts';
import { reauthenticate } from './reauthentication.ts';
import { killLinks } from './recovery.ts';
import { endSessions } from './sessions.ts';

/** Subscriptions that would be charged again. */
const RUNNING = ['ACTIVE', 'PAST_DUE', 'UNPAID'] as const;

/** Errors: credentials_wrong, sign_in_again, action_not_allowed (a subscription still renews), too_many_attempts. */
export async function closeAccount(ctx: Context, password: string | null | undefined): Promise<typeof AFTER_CLOSING> {
  const { id, email } = await reauthenticate(ctx, password);
  await inTransaction(ctx, async (tx) => {
    const running = await tx.em.count(BillingSubscription, { accountId: id, status: { $in: [...RUNNING] }, cancelAtPeriodEnd: false });
    if (running > 0) throw fail('action_not_allowed', { reason: 'Cancel your subscriptions first: they would be charged again.' });
    for (const key of await tx.em.find(ApiKey, { accountId: id, revokedAt: null })) await revokeKey(tx, key);
    await killLinks(tx, id);
    for (const entity of [ChatIdentity, Passkey, Totp, RecoveryCode, KeyRequest, SalesRequest])
      await tx.em.nativeDelete<{ accountId: string }>(entity as never, { accountId: id });
    if (email) await tx.em.nativeDelete(SignUp, { email: email.toLowerCase() });
    await tx.em.nativeUpdate(
      Account,
      { id },
      { email: null, passwordHash: null, emailVerifiedAt: null, apiAllowed: false, closedAt: ctx.clock.now() },
    );
    await record(tx, { type: 'account.closed', accountId: id, subject: id });
    await endSessions(tx, id);
    await announceAccess(tx.em, id);
    if (email)
      await postMail(tx, email, 'account_closed', { kept: AFTER_CLOSING.map(({ what, days, why }) => `${what}: ${days} days, ${why}.`) });
  });
  return AFTER_CLOSING;
}
