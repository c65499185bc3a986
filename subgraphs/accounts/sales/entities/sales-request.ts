import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const SalesRequest = defineEntity({
  name: 'SalesRequest',
  tableName: 'sales_request',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    product: p.string(),
    volume: p.string(),
    message: p.string(),
    status: p.string().$type<'OPEN' | 'CLOSED'>(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
  }),
});
export type SalesRequest = InferEntity<typeof SalesRequest>;

export const salesRequestsOfAccount = (em: EntityManager, accountId: string): Promise<SalesRequest[]> =>
  em.find(SalesRequest, { accountId }, { orderBy: { id: 'desc' }, limit: 50 });

export const openSalesRequests = (em: EntityManager): Promise<SalesRequest[]> =>
  em.find(SalesRequest, { status: 'OPEN' }, { orderBy: { id: 'asc' }, limit: 200 });

export async function deleteSalesRequests(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(SalesRequest, { accountId });
}

/** A request that is known to exist. */
export const existingSalesRequest = (em: EntityManager, id: string): Promise<SalesRequest> => em.findOneOrFail(SalesRequest, { id });

/** An open request; with `accountId`, one of that account. */
export const openSalesRequest = (em: EntityManager, which: { id: string; accountId?: string }): Promise<SalesRequest | null> =>
  em.findOne(SalesRequest, { ...which, status: 'OPEN' });

export const countOpenSalesRequests = (em: EntityManager, accountId: string): Promise<number> =>
  em.count(SalesRequest, { accountId, status: 'OPEN' });

export async function insertSalesRequest(em: EntityManager, request: Omit<SalesRequest, 'status' | 'closedAt'>): Promise<void> {
  await em.insert(SalesRequest, { ...request, status: 'OPEN', closedAt: null });
}
