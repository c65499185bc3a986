// Finds whose API key it is, and revokes keys. Within a second of its revocation every process refuses a key.
import { inTransaction } from '#platform/database.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import { isAllowedFrom } from '../domain/api-key-terms.ts';
import { isApiKey, maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { type ApiKey, callerOfHash, keyOfAccount, keysNotRevoked } from '../entities/api-key.ts';
import type { KeysContext } from '../context.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { record } from '../../identity/services/activity.ts';
import { refuseSuspended } from '../../identity/services/suspension.ts';

/** Revokes a key of the caller's account; revoking a revoked key changes nothing. Errors: key_not_found. */
export function revokeApiKey(ctx: KeysContext, id: string): Promise<ApiKey> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const key = await keyOfAccount(tx.em, id, accountId);
    if (!key) throw fail('key_not_found');
    await revokeKey(tx, key);
    return key;
  });
}

/** Revokes a key in the caller's transaction; the caller has checked that it may. */
export async function revokeKey(ctx: KeysContext, key: ApiKey): Promise<void> {
  if (key.revokedAt) return;
  key.revokedAt = ctx.clock.now();
  await record(ctx, { type: 'api_key.revoked', accountId: key.accountId, subject: key.id, data: { masked: maskApiKey(key) } });
  await announceAccess(ctx.em, key.id);
}

/** Revokes all keys of an account, in the caller's transaction. */
export async function revokeKeysOf(ctx: KeysContext, accountId: string): Promise<void> {
  for (const key of await keysNotRevoked(ctx.em, accountId)) await revokeKey(ctx, key);
}

const toInstant = (value: string | null): Date | null => (value === null ? null : new Date(value));

/**
 * The caller that a key stands for. It runs one indexed query, since every API request comes through here. Errors: key_malformed, key_unknown, key_expired,
 * key_revoked, account_suspended, api_not_allowed, address_not_allowed.
 */
export async function callerOfApiKey(ctx: KeysContext, key: string) {
  if (!isApiKey(key)) throw fail('key_malformed');
  const row = await callerOfHash(ctx, hashToken(key));
  if (!row) throw fail('key_unknown');
  const now = ctx.clock.now();
  const expiresAt = toInstant(row.expires_at);
  const status = statusOfKey({ expiresAt, revokedAt: toInstant(row.revoked_at) }, now);
  if (status === 'REVOKED') throw fail('key_revoked');
  if (status === 'EXPIRED') throw fail('key_expired');
  refuseSuspended(ctx, { suspendedAt: row.suspended_at });
  if (!row.api_allowed) throw fail('api_not_allowed');
  if (!isAllowedFrom(row.allowed_addresses, ctx.viewer.address)) throw fail('address_not_allowed');
  ctx.providers.keyUse.record(ctx, { keyId: row.id, at: now, address: ctx.viewer.address });
  return {
    accountId: row.account_id,
    role: row.role,
    sessionId: null,
    keyId: row.id,
    scopes: row.scopes,
    documentsOnly: row.documents_only,
    permissions: [],
    expiresAt,
  };
}
