// API keys: issued by support, shown in full once, stored as a hash, dead in every process within a second of being revoked.
import { inTransaction } from '#shared/database.ts';
import { accountOf } from '#shared/context.ts';
import { fail } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { Scope } from '#shared/identity.ts';
import { hashToken } from '#shared/secrets.ts';
import { isApiKey, makeApiKey, maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { Account } from '../entities/account.ts';
import { ApiKey } from '../entities/api-key.ts';
import type { Context } from '../providers.ts';
import { announceAccess } from './access-notice.ts';
import { record } from './activity.ts';
import { postMail } from './mails.ts';

/** Spec, Limits: a standard key reads and generates. */
const STANDARD_SCOPES: Scope[] = ['read', 'generate'];

/** The key itself is in the answer and nowhere else. Support's act: the caller has checked who asks. */
export async function issueApiKey(
  ctx: Context,
  input: { accountId: string; expiresAt: Date | null },
): Promise<{ key: string; row: ApiKey }> {
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const account = await tx.em.findOneOrFail(Account, { id: input.accountId });
    const { key, prefix, lastFour } = makeApiKey(ctx.providers.keyEnvironment);
    const row = {
      id: newId('key', ctx.clock),
      accountId: account.id,
      hash: hashToken(key),
      prefix,
      lastFour,
      kind: 'STANDARD' as const,
      scopes: STANDARD_SCOPES,
      allowedAddresses: [],
      createdAt: now,
      warnedDays: null,
      expiresAt: input.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
    };
    await tx.em.insert(ApiKey, row);
    await record(tx, { type: 'api_key.issued', accountId: account.id, subject: row.id, data: { masked: maskApiKey(row) } });
    if (account.email)
      await postMail(tx, account.email, 'key_issued', { masked: maskApiKey(row), url: `${ctx.providers.publicUrl}/developers` });
    return { key, row };
  });
}

/** Errors: key_not_found. Revoking a revoked key changes nothing. */
export async function revokeApiKey(ctx: Context, id: string): Promise<ApiKey> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const key = await tx.em.findOne(ApiKey, { id, accountId });
    if (!key) throw fail('key_not_found');
    if (key.revokedAt) return key;
    key.revokedAt = ctx.clock.now();
    await record(tx, { type: 'api_key.revoked', accountId, subject: id, data: { masked: maskApiKey(key) } });
    await announceAccess(tx.em, id);
    return key;
  });
}

interface Tables {
  api_key: {
    id: string;
    account_id: string;
    hash: string;
    scopes: Scope[];
    // Instants arrive as text: the ORM parses them for entities, not for queries of one's own.
    expires_at: string | null;
    revoked_at: string | null;
  };
  account: { id: string; role: 'CUSTOMER' | 'STAFF'; api_allowed: boolean };
}

const toInstant = (value: string | null): Date | null => (value === null ? null : new Date(value));

/** Errors: key_malformed, key_unknown, key_expired, key_revoked, api_not_allowed. One indexed query: every request of the API comes through here. */
export async function callerOfApiKey(ctx: Context, key: string) {
  if (!isApiKey(key)) throw fail('key_malformed');
  const row = await ctx.em
    .getKysely<Tables>()
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['api_key.id', 'account_id', 'scopes', 'expires_at', 'revoked_at', 'role', 'api_allowed'])
    .where('hash', '=', hashToken(key))
    .executeTakeFirst();
  if (!row) throw fail('key_unknown');
  const now = ctx.clock.now();
  const expiresAt = toInstant(row.expires_at);
  const status = statusOfKey({ expiresAt, revokedAt: toInstant(row.revoked_at) }, now);
  if (status === 'REVOKED') throw fail('key_revoked');
  if (status === 'EXPIRED') throw fail('key_expired');
  if (!row.api_allowed) throw fail('api_not_allowed');
  ctx.providers.keyUse.record(ctx.em, { keyId: row.id, at: now, address: ctx.viewer.address });
  return { accountId: row.account_id, role: row.role, sessionId: null, keyId: row.id, scopes: row.scopes, expiresAt };
}
