import { fail } from '#platform/errors.ts';
import { lockAccount } from '../entities/account.ts';
import { hasChatIdentity } from '../entities/chat-identity.ts';
import { hasPasskey } from '../entities/passkey.ts';
import type { IdentityContext } from '../context.ts';

/**
 * Refuses to remove the last way into an account. Locks the account until the end of the transaction, so that two ways cannot be removed at once. Errors:
 * last_way_in.
 */
export async function requireOtherSignInMethod(
  { em }: IdentityContext,
  accountId: string,
  without: { passkey?: string; chat?: true },
): Promise<void> {
  const account = await lockAccount(em, accountId);
  const password = account.email !== null && account.passwordHash !== null;
  const chat = !without.chat && (await hasChatIdentity(em, accountId));
  const passkey = await hasPasskey(em, accountId, without.passkey);
  if (!password && !chat && !passkey) throw fail('last_way_in');
}
