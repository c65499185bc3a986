// Suspends and restores accounts. Within a second of a suspension nobody can enter the account, its keys are refused, its sessions and sockets end, and every
// seller stops what it has bought. Its data, addresses and bytes stay. Only support can restore it.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { recordAction } from '../../abuse/services/abuse-findings.ts';
import { resumeRenewals } from '../../billing/renewals/services/resume-renewals.ts';
import type { Context } from '../../context.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { type Account, lockAccount } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import { endSessions } from '../../identity/services/sessions.ts';
import { accountFor, refuseColleague } from '../../identity/services/staff.ts';
import { postToOwner } from '../../mail/services/mails.ts';

interface SuspensionInput {
  accountId: string;
  /** The customer reads it in a mail. */
  reason: string;
}

/** Errors: account_not_found, own_account_refused, parameter_invalid, action_not_allowed (closed, or suspended already). */
export const suspendAccount = (ctx: Context, { accountId, reason }: SuspensionInput): Promise<Account> =>
  changed(ctx, { accountId, reason }, async (tx, account, words) => {
    if (account.closedAt) throw fail('action_not_allowed', { reason: because('account_is_closed') });
    if (account.suspendedAt) throw fail('action_not_allowed', { reason: because('account_suspended_already') });
    Object.assign(account, { suspendedAt: tx.clock.now(), suspensionReason: words });
    await record(tx, { type: 'account.suspended', accountId, subject: accountId, data: { reason: words } });
    await recordAction(tx, { accountId, by: accountOf(tx), title: `The account is suspended: ${words}` });
    await endSessions(tx, accountId);
    await postToOwner(tx, accountId, 'account_suspended', { reason: words, writeTo: tx.providers.supportEmail });
  });

/** Errors: account_not_found, own_account_refused, parameter_invalid, action_not_allowed (not suspended). */
export const restoreAccount = (ctx: Context, { accountId, reason }: SuspensionInput): Promise<Account> =>
  changed(ctx, { accountId, reason }, async (tx, account, words) => {
    const since = account.suspendedAt;
    if (!since) throw fail('action_not_allowed', { reason: because('account_not_suspended') });
    Object.assign(account, { suspendedAt: null, suspensionReason: null });
    await record(tx, { type: 'account.restored', accountId, subject: accountId, data: { reason: words } });
    await recordAction(tx, { accountId, by: accountOf(tx), title: `The account is restored: ${words}` });
    await announceAccess(tx.em, accountId);
    await resumeRenewals(tx, accountId, since);
    await postToOwner(tx, accountId, 'account_restored', { reason: words, url: tx.providers.publicUrl });
  });

/** Changes an account under its lock, so that of two members of staff the second one finds what the first one did. */
function changed(
  ctx: Context,
  { accountId, reason }: SuspensionInput,
  work: (tx: Context, account: Account, words: string) => Promise<void>,
): Promise<Account> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    refuseOwnAccount(tx, accountId);
    refuseColleague(tx, await accountFor(tx, accountId));
    const account = await lockAccount(tx.em, accountId);
    await work(tx, account, words);
    return account;
  });
}
