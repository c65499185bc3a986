import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#shared/database.ts';
import type { Scope } from '#shared/identity.ts';

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
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    lastUsedAddress: p.string().nullable(),
  }),
});
export type ApiKey = InferEntity<typeof ApiKey>;

export const keysOfAccount = (em: EntityManager, accountId: string): Promise<ApiKey[]> =>
  em.find(ApiKey, { accountId }, { orderBy: { id: 'desc' } });
