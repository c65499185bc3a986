// People for a demonstration: a customer and a member of support.
import { inTransaction } from '#platform/database.ts';
import { type AccountRole, accountWithEmail } from './identity/entities/account.ts';
import type { Context } from './context.ts';
import { issueApiKey } from './keys/services/issue-api-key.ts';
import { factorsOf } from './identity/services/second-factor.ts';
import { issueEnrolment } from './identity/services/staff-enrolment.ts';
import { createAccount } from './identity/services/sign-up.ts';

export interface DemoPerson {
  email: string;
  password: string;
  role: AccountRole;
}

/** Creates a verified account and returns its id; undefined when the address has an account already. */
export async function seedAccount(ctx: Context, { email, password, role }: DemoPerson): Promise<string | undefined> {
  const passwordHash = await ctx.providers.passwords.hash(password);
  return inTransaction(ctx, async (tx) =>
    (await accountWithEmail(tx.em, email)) ? undefined : createAccount(tx, { email, passwordHash, role }),
  );
}

/** Issues a key to an account, and returns it in full. */
export const seedApiKey = async (ctx: Context, accountId: string): Promise<string> =>
  (await issueApiKey(ctx, { accountId, expiresAt: null })).key;

/** A link by which a member of staff sets up the second factor; undefined once there is one. */
export async function seedEnrolment(ctx: Context, email: string): Promise<string | undefined> {
  const account = await accountWithEmail(ctx.em, email);
  if (!account || (await factorsOf(ctx, account.id)).length > 0) return undefined;
  return (await issueEnrolment(ctx, account.id)).url;
}
