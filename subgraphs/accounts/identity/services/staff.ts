// The members of staff and their roles. A session gets its permissions from the roles.
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';
import { requirePermission } from '#platform/staff-rights.ts';
import { type Account, accountWithId, countStaff } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { announceAccess } from '../entities/access-notice.ts';
import { allRoles, lockOwners, replaceRoles, rolesOf } from '../entities/staff-role.ts';
import { postMail } from '../../mail/services/mails.ts';
import { record } from './activity.ts';

/** The account with that id, for a member of staff. Errors: account_not_found. */
export async function accountFor({ em }: IdentityContext, id: string): Promise<Account> {
  const account = await accountWithId(em, id);
  if (!account) throw fail('account_not_found');
  return account;
}

/** Refuses an action on the account of a colleague to members of staff who may not choose the staff. Errors: permission_missing. */
export function refuseColleague({ viewer }: IdentityContext, { role }: Pick<Account, 'role'>): void {
  if (role === 'STAFF' && viewer.kind === 'session') requirePermission(viewer, 'staff');
}

/**
 * Gives an account these roles and no others; without roles it is a customer again. Its open pages are checked again within a second, and it gets a mail. There
 * is always an owner. Errors: account_not_found, own_account_refused, action_not_allowed.
 */
export const setRoles = (
  ctx: IdentityContext,
  { accountId, roles }: { accountId: string; roles: readonly StaffRole[] },
): Promise<Account> =>
  inTransaction(ctx, async (tx) => {
    // Locked first of all: two members of staff who change each other would otherwise deadlock.
    const owners = await lockOwners(tx.em);
    const first = await isStaffEmpty(tx);
    if (!first) refuseOwnAccount(ctx, accountId);
    const account = await accountFor(tx, accountId);
    if (roles.length > 0) refuseUnfit(account);
    const wanted = first ? (['OWNER'] as const) : [...new Set(roles)].toSorted();
    if (!wanted.includes('OWNER') && owners.includes(accountId) && owners.length === 1)
      throw fail('action_not_allowed', { reason: because('last_owner') });
    if ((await rolesOf(tx.em, accountId)).join() === wanted.join()) return account;
    await changeRoles(tx, account, wanted);
    return account;
  });

function refuseUnfit({ closedAt, suspendedAt }: Account): void {
  if (closedAt) throw fail('action_not_allowed', { reason: because('account_is_closed') });
  if (suspendedAt) throw fail('action_not_allowed', { reason: because('account_suspended_already') });
}

async function changeRoles(tx: IdentityContext, account: Account, roles: readonly StaffRole[]): Promise<void> {
  const { id: accountId, email } = account;
  const { viewer } = tx;
  const was = account.role;
  account.role = roles.length > 0 ? 'STAFF' : 'CUSTOMER';
  await tx.em.flush();
  const givenBy = viewer.kind === 'session' && viewer.accountId !== accountId ? viewer.accountId : null;
  await replaceRoles(tx.em, accountId, { roles, givenAt: tx.clock.now(), givenBy });
  const named = roles.join(', ').toLowerCase();
  if (account.role !== was)
    await record(tx, { type: was === 'CUSTOMER' ? 'account.appointed' : 'account.dismissed', accountId, subject: accountId });
  if (roles.length > 0) await record(tx, { type: 'account.roles_set', accountId, subject: accountId, data: { roles: named } });
  await announceAccess(tx.em, accountId);
  if (email) await postMail(tx, email, 'staff_roles_changed', { roles: named, url: `${tx.providers.publicUrl}/support` });
}

export interface StaffMember {
  account: Account;
  roles: StaffRole[];
  since: Date;
}

/** Everybody who holds a role, those who have held one for the longest first. */
export async function staffMembers({ em }: IdentityContext): Promise<StaffMember[]> {
  const byAccount = Map.groupBy(await allRoles(em), ({ accountId }) => accountId);
  const members: StaffMember[] = [];
  for (const [accountId, held] of byAccount) {
    const account = await accountWithId(em, accountId);
    if (!account) continue;
    const since = held.map(({ givenAt }) => givenAt).reduce((one, other) => (one < other ? one : other));
    members.push({ account, roles: held.map(({ role }) => role), since });
  }
  return members.toSorted((one, other) => one.since.getTime() - other.since.getTime());
}

/** Whether there is no member of staff yet; then nobody can appoint one. */
export const isStaffEmpty = async (ctx: IdentityContext): Promise<boolean> => (await countStaff(ctx.em)) === 0;
