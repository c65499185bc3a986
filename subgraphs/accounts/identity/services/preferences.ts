import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { type Preferences, isTimeZone } from '../domain/preferences.ts';
import { type Account, lockAccount } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';

/** Sets how the caller's pages show things; what is absent stays. Choosing what is chosen changes nothing. Errors: parameter_invalid. */
export function setPreferences(ctx: IdentityContext, chosen: Partial<Preferences>): Promise<Account> {
  const accountId = accountOf(ctx);
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

export const preferencesOf = ({ timeZone, dateFormat, density }: Account): Preferences => ({
  timeZone: timeZone ?? null,
  dateFormat,
  density,
});
