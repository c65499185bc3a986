import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Scope } from '#platform/identity.ts';
import type { ApiKeyKind } from '../domain/api-key.ts';

export const KeyRequest = defineEntity({
  name: 'KeyRequest',
  tableName: 'key_request',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    kind: p.string().$type<ApiKeyKind>(),
    scopes: p.array().$type<Scope[]>(),
    allowedAddresses: p.array(),
    replaces: p.string().nullable(),
    overlapHours: p.integer(),
    note: p.string(),
    status: p.string().$type<'OPEN' | 'ISSUED' | 'DECLINED'>(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
  }),
});
export type KeyRequest = InferEntity<typeof KeyRequest>;

/** A request that is known to exist. */
export const existingKeyRequest = (em: EntityManager, id: string): Promise<KeyRequest> => em.findOneOrFail(KeyRequest, { id });

export const keyRequestsOfAccount = (em: EntityManager, accountId: string): Promise<KeyRequest[]> =>
  em.find(KeyRequest, { accountId }, { orderBy: { id: 'desc' }, limit: 50 });

export const openKeyRequests = (em: EntityManager): Promise<KeyRequest[]> =>
  em.find(KeyRequest, { status: 'OPEN' }, { orderBy: { id: 'asc' }, limit: 200 });

export async function deleteKeyRequests(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(KeyRequest, { accountId });
}

export const countOpenKeyRequests = (em: EntityManager, accountId: string): Promise<number> =>
  em.count(KeyRequest, { accountId, status: 'OPEN' });

/** The owner's open request to replace this key. */
export const openRequestToReplace = (em: EntityManager, keyId: string): Promise<KeyRequest | null> =>
  em.findOne(KeyRequest, { replaces: keyId, status: 'OPEN' });

export async function insertKeyRequest(em: EntityManager, request: Omit<KeyRequest, 'status' | 'closedAt'>): Promise<void> {
  await em.insert(KeyRequest, { ...request, status: 'OPEN', closedAt: null });
}

/** Answers an open request; false when there is none. */
export const closeKeyRequest = async (
  em: EntityManager,
  which: { id: string; accountId?: string },
  status: 'ISSUED' | 'DECLINED',
  now: Date,
): Promise<boolean> => (await em.nativeUpdate(KeyRequest, { ...which, status: 'OPEN' }, { status, closedAt: now })) === 1;
