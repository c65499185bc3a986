import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { type Account, accountWithId, countStaff } from '../entities/account.ts';
import type { Context } from '../../context.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { record } from './activity.ts';

/** The account that a member of staff names. Errors: account_not_found. */
export async function accountFor({ em }: Context, id: string): Promise<Account> {
  const account = await accountWithId(em, id);
  if (!account) throw fail('account_not_found');
  return account;
}

/**
 * Makes an account a member of staff, or a customer again; its open pages are checked anew within a second. Errors: account_not_found,
 * own_account_refused.
 */
export const setRole = (ctx: Context, { accountId, role }: { accountId: string; role: Account['role'] }): Promise<Account> =>
  inTransaction(ctx, async (tx) => {
    const account = await accountFor(tx, accountId);
    if (account.role === role) return account;
    if (role === 'STAFF' && !(await isStaffEmpty(tx))) refuseOwnAccount(ctx, accountId);
    account.role = role;
    await record(tx, { type: role === 'STAFF' ? 'account.appointed' : 'account.dismissed', accountId, subject: accountId });
    await announceAccess(tx.em, accountId);
    return account;
  });

/** Before the first appointment there is nobody who could make it. */
export const isStaffEmpty = async (ctx: Context): Promise<boolean> => (await countStaff(ctx.em)) === 0;
