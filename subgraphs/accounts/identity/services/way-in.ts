import { fail } from '#platform/errors.ts';
import { LockMode } from '@mikro-orm/core';
import { Account } from '../entities/account.ts';
import { ChatIdentity } from '../entities/chat-identity.ts';
import { Passkey } from '../entities/passkey.ts';
import type { Context } from '../../providers.ts';

/** Refuses to take away the last way into an account; holds the account's row until the transaction ends, so that two are not taken at once. Errors: last_way_in. */
export async function keepWayIn({ em }: Context, accountId: string, without: { passkey?: string; chat?: true }): Promise<void> {
  const account = await em.findOneOrFail(Account, { id: accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const password = account.email !== null && account.passwordHash !== null;
  const chat = !without.chat && (await em.count(ChatIdentity, { accountId })) > 0;
  const passkey = (await em.count(Passkey, { accountId, ...(without.passkey !== undefined && { id: { $ne: without.passkey } }) })) > 0;
  if (!password && !chat && !passkey) throw fail('last_way_in');
}
