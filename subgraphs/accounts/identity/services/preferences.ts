import { personOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { memberOf } from '#platform/identity.ts';
import { type Preferences, isTimeZone } from '../domain/preferences.ts';
import { type Account, existingAccount, lockAccount } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';

/** Sets how the caller's pages show things; what is absent stays. Choosing what is chosen changes nothing. Errors: parameter_invalid. */
export function setPreferences(ctx: IdentityContext, chosen: Partial<Preferences>): Promise<Account> {
  const accountId = personOf(ctx);
  const { timeZone } = chosen;
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    throw fail('parameter_invalid', { field: 'timeZone', reason: because('time_zone_unknown', { name: timeZone.slice(0, 64) }) });
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    const before = preferencesOf(account);
    const after = { ...before, ...chosen };
    if (JSON.stringify(after) === JSON.stringify(before)) return account;
    Object.assign(account, after);
    await record(tx, { type: 'account.preferences_set', accountId, subject: accountId, data: after });
    return account;
  });
}

/** How pages show an account to the caller: a member of a team sees them as in the member's own account. */
export async function preferencesOfReader({ em, viewer }: IdentityContext, account: Account): Promise<Preferences> {
  const member = memberOf(viewer);
  return preferencesOf(member ? await existingAccount(em, member.accountId) : account);
}

const preferencesOf = ({ timeZone, dateFormat, density }: Account): Preferences => ({
  timeZone: timeZone ?? null,
  dateFormat,
  density,
});
