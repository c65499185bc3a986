import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Scope } from '#platform/identity.ts';
import type { ApiKeyKind } from '../domain/api-key.ts';

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

export const keysOfAccount = (em: EntityManager, accountId: string): Promise<ApiKey[]> =>
  em.find(ApiKey, { accountId }, { orderBy: { id: 'desc' } });

/** Those that are not revoked, expired or not. */
export const keysNotRevoked = (em: EntityManager, accountId: string): Promise<ApiKey[]> => em.find(ApiKey, { accountId, revokedAt: null });
