// A member of staff sees an account as its owner does, for half an hour. Nothing can be changed, no password is shown, and the owner gets a mail. It is no
// session of the account: it belongs to the session of the member of staff, and ends with it.
import { MINUTE, after } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { permissionsOf } from '#platform/staff-permissions.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import { postToOwner } from '../../mail/services/mails.ts';
import type { IdentityContext } from '../context.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { deleteImpersonation, impersonationWithToken, insertImpersonation } from '../entities/impersonation.ts';
import { sessionOfAccount } from '../entities/session.ts';
import { rolesOf } from '../entities/staff-role.ts';
import { record } from './activity.ts';
import { accountFor } from './staff.ts';

const LIFE_MS = 30 * MINUTE;
/** The prefix that tells the token from one of a session. */
const PREFIX = 'imp_';

export interface NewImpersonation {
  token: string;
  expiresAt: Date;
}

/** Errors: account_not_found, own_account_refused, parameter_invalid, action_not_allowed (closed, or of a colleague). */
export function beginImpersonation(
  ctx: IdentityContext,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<NewImpersonation> {
  const words = checkReason(reason);
  const { viewer, clock } = ctx;
  if (viewer.kind !== 'session') throw fail('session_invalid');
  return inTransaction(ctx, async (tx) => {
    refuseOwnAccount(tx, accountId);
    const account = await accountFor(tx, accountId);
    if (account.closedAt) throw fail('action_not_allowed', { reason: because('account_is_closed') });
    if (account.role === 'STAFF') throw fail('action_not_allowed', { reason: because('account_of_staff') });
    const [token, startedAt] = [PREFIX + newToken(), clock.now()];
    const expiresAt = after(startedAt, LIFE_MS);
    const id = newId('imp', clock);
    const { accountId: staffId, sessionId } = viewer;
    await insertImpersonation(tx.em, {
      id,
      tokenHash: hashToken(token),
      accountId,
      staffId,
      sessionId,
      reason: words,
      startedAt,
      expiresAt,
    });
    await record(tx, { type: 'account.impersonated', accountId, subject: accountId, data: { reason: words } });
    const { publicUrl, supportEmail } = tx.providers;
    await postToOwner(tx, accountId, 'account_impersonated', {
      reason: words,
      at: toMinute(startedAt),
      writeTo: supportEmail,
      url: `${publicUrl}/settings?tab=activity`,
    });
    return { token, expiresAt };
  });
}

/** Ends the impersonation with this token; false when there was none. */
export const endImpersonation = (ctx: IdentityContext, token: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const found = await impersonationWithToken(tx.em, hashToken(token), tx.clock.now());
    if (!found || !(await deleteImpersonation(tx.em, found.id))) return false;
    await announceAccess(tx.em, found.id);
    return true;
  });

export const isOfImpersonation = (token: string): boolean => token.startsWith(PREFIX);

/**
 * The caller that the token of an impersonation stands for, as long as its member of staff still has a strong session and the permission. Errors:
 * session_invalid.
 */
export async function callerOfImpersonation({ em, clock }: IdentityContext, token: string) {
  const now = clock.now();
  const found = await impersonationWithToken(em, hashToken(token), now);
  if (!found) throw fail('session_invalid');
  const { id, accountId, staffId, sessionId, expiresAt } = found;
  const session = await sessionOfAccount(em, sessionId, staffId);
  const permissions = permissionsOf(await rolesOf(em, staffId));
  if (!session?.strongAt || session.expiresAt <= now || !permissions.includes('impersonate')) throw fail('session_invalid');
  return {
    accountId,
    role: 'CUSTOMER' as const,
    sessionId: id,
    permissions: [],
    keyId: null,
    scopes: [],
    impersonatedBy: staffId,
    expiresAt,
  };
}
