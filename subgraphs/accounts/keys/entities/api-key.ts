import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Scope } from '#platform/identity.ts';
import { pointRead } from '#platform/point-read.ts';
import type { ApiKeyKind } from '../domain/api-key.ts';
import type { AccountRole } from '../../identity/entities/account.ts';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    hash: p.string(),
    prefix: p.string(),
    lastFour: p.string(),
    scopes: p.array().$type<Scope[]>(),
    kind: p.string().$type<ApiKeyKind>(),
    allowedAddresses: p.array(),
    createdAt: p.datetime(),
    warnedDays: p.integer().nullable(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedAddress: p.string().nullable(),
  }),
});
export type ApiKey = InferEntity<typeof ApiKey>;

export const keyWithId = (em: EntityManager, id: string): Promise<ApiKey | null> => em.findOne(ApiKey, { id });

export const keyOfAccount = (em: EntityManager, id: string, accountId: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { id, accountId });

export const keysOfAccount = (em: EntityManager, accountId: string): Promise<ApiKey[]> =>
  em.find(ApiKey, { accountId }, { orderBy: { id: 'desc' } });

/** Those that are not revoked, expired or not. */
export const keysNotRevoked = (em: EntityManager, accountId: string): Promise<ApiKey[]> => em.find(ApiKey, { accountId, revokedAt: null });

/** The one of an id, `key_...`, or those whose last four characters are the last of `word`. */
export const searchKeys = (em: EntityManager, word: string, limit: number): Promise<ApiKey[]> =>
  em.find(ApiKey, word.startsWith('key_') ? { id: word } : { lastFour: word.slice(-4) }, { limit });

export async function insertKey(em: EntityManager, key: ApiKey): Promise<void> {
  await em.insert(ApiKey, key);
}

const notWarned = (days: number) => ({ $or: [{ warnedDays: null }, { warnedDays: { $gt: days } }] });

/** Those that end until then, and whose owner has not had the mail of so many days before it; the first to end first. */
export const keysToWarn = (
  em: EntityManager,
  { days, now, until, limit }: { days: number; now: Date; until: Date; limit: number },
): Promise<ApiKey[]> =>
  em.find(ApiKey, { revokedAt: null, expiresAt: { $gt: now, $lte: until }, ...notWarned(days) }, { limit, orderBy: { expiresAt: 'asc' } });

/** How many keys that work now end until then. */
export const countKeysEnding = (em: EntityManager, now: Date, until: Date): Promise<number> =>
  em.count(ApiKey, { revokedAt: null, expiresAt: { $gt: now, $lte: until } });

/** Records that its owner is warned so many days before its end; false when that has been done. */
export const markWarned = async (em: EntityManager, id: string, days: number): Promise<boolean> =>
  (await em.nativeUpdate(ApiKey, { id, ...notWarned(days) }, { warnedDays: days })) === 1;

/** Stores last uses, sorted by key; one that is older than what stands there changes nothing. */
export async function storeLastUses(em: EntityManager, uses: readonly { keyId: string; at: Date; address: string }[]): Promise<void> {
  const [ids, instants, addresses] = [
    uses.map(({ keyId }) => keyId),
    uses.map(({ at }) => at.toISOString()),
    uses.map(({ address }) => address),
  ];
  await sql`
    update api_key set last_used_at = used.at, last_used_address = used.address
    from unnest(${ids}::text[], ${instants}::timestamptz[], ${addresses}::text[]) as used (id, at, address)
    where api_key.id = used.id and (api_key.last_used_at is null or api_key.last_used_at < used.at)`.execute(em.getKysely());
}

interface KeyRow {
  id: string;
  hash: string;
  account_id: string;
  scopes: Scope[];
  allowed_addresses: string[];
  // Instants arrive as text: the ORM parses them for entities, not for queries of one's own.
  expires_at: string | null;
  revoked_at: string | null;
  role: AccountRole;
  api_allowed: boolean;
  suspended_at: string | null;
}

/**
 * A key with what its account may do, by its hash. Prepared: every request of the API comes through it, and planning the join costs more than running
 * it.
 */
export const callerOfHash = pointRead<KeyRow>(
  {
    name: 'caller_of_key',
    text: `select key.id, key.hash, key.account_id, key.scopes, key.allowed_addresses, key.expires_at, key.revoked_at, account.role, account.api_allowed, account.suspended_at
    from accounts.api_key as key join accounts.account on account.id = key.account_id where key.hash = any($1)`,
  },
  ({ hash }) => hash,
);
