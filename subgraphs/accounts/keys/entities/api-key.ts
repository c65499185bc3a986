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
    /** The most that support lets it order in a calendar month, with tax; 0: nothing. */
    orderGrantedMinor: p.bigint('number'),
    /** What of that its owner leaves to it. */
    orderCeilingMinor: p.bigint('number'),
    /** It asks documents alone that its account has registered. */
    documentsOnly: p.boolean(),
  }),
});
export type ApiKey = InferEntity<typeof ApiKey>;

export const keyWithId = (em: EntityManager, id: string): Promise<ApiKey | null> => em.findOne(ApiKey, { id });

export const keyOfAccount = (em: EntityManager, id: string, accountId: string): Promise<ApiKey | null> =>
  em.findOne(ApiKey, { id, accountId });

export const keysOfAccount = (em: EntityManager, accountId: string): Promise<ApiKey[]> =>
  em.find(ApiKey, { accountId }, { orderBy: { id: 'desc' } });

/** The keys of an account that are not revoked, whether expired or not. */
export const keysNotRevoked = (em: EntityManager, accountId: string): Promise<ApiKey[]> => em.find(ApiKey, { accountId, revokedAt: null });

/** The key with that id (`key_...`), or keys that end with the last four characters of `word`. */
export const searchKeys = (em: EntityManager, word: string, limit: number): Promise<ApiKey[]> =>
  em.find(ApiKey, word.startsWith('key_') ? { id: word } : { lastFour: word.slice(-4) }, { limit });

export async function insertKey(em: EntityManager, key: ApiKey): Promise<void> {
  await em.insert(ApiKey, key);
}

const notWarned = (days: number) => ({ $or: [{ warnedDays: null }, { warnedDays: { $gt: days } }] });

/** Keys that end by `until` and whose owner has not been warned that many days ahead; the first to end first. */
export const keysToWarn = (
  em: EntityManager,
  { days, now, until, limit }: { days: number; now: Date; until: Date; limit: number },
): Promise<ApiKey[]> =>
  em.find(ApiKey, { revokedAt: null, expiresAt: { $gt: now, $lte: until }, ...notWarned(days) }, { limit, orderBy: { expiresAt: 'asc' } });

/** Counts keys that work now and end by `until`. */
export const countKeysEnding = (em: EntityManager, now: Date, until: Date): Promise<number> =>
  em.count(ApiKey, { revokedAt: null, expiresAt: { $gt: now, $lte: until } });

/** Records that the owner is warned that many days ahead; false when that was done before. */
export const markWarned = async (em: EntityManager, id: string, days: number): Promise<boolean> =>
  (await em.nativeUpdate(ApiKey, { id, ...notWarned(days) }, { warnedDays: days })) === 1;

/** Stores last uses, which must be sorted by key id; a use that is older than the stored one changes nothing. */
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
  // Instants arrive as text: the ORM parses them for entities only, not for our own queries.
  expires_at: string | null;
  revoked_at: string | null;
  role: AccountRole;
  api_allowed: boolean;
  documents_only: boolean;
  suspended_at: string | null;
}

/**
 * Finds a key by its hash, with the rights of its account. The statement is prepared: every API request runs it, and planning the join costs more than running
 * it.
 */
export const callerOfHash = pointRead<KeyRow>(
  {
    name: 'caller_of_key',
    text: `select key.id, key.hash, key.account_id, key.scopes, key.allowed_addresses, key.documents_only, key.expires_at, key.revoked_at, account.role, account.api_allowed, account.suspended_at
    from accounts.api_key as key join accounts.account on account.id = key.account_id where key.hash = any($1)`,
  },
  ({ hash }) => hash,
);
