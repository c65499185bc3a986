import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { ApprovalDecision } from '#commerce/second-person.ts';
import type { EntityManager } from '#platform/database.ts';

/** GRANT: credit is given. PAY_OUT: credit is paid out to the means that it was paid by. */
export const CREDIT_REQUEST_KINDS = ['GRANT', 'PAY_OUT'] as const;
export type CreditRequestKind = (typeof CREDIT_REQUEST_KINDS)[number];

/** A request of one member of support to give or pay out credit, which another one decides. */
export const CreditRequest = defineEntity({
  name: 'CreditRequest',
  tableName: 'credit_request',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<CreditRequestKind>(),
    accountId: p.string(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    note: p.string(),
    /** For a pay-out: where a person sends what no processor can give back. */
    payTo: p.string().nullable(),
    askedBy: p.string(),
    askedAt: p.datetime(),
    expiresAt: p.datetime(),
    decision: p.string().$type<ApprovalDecision>().nullable(),
    decidedBy: p.string().nullable(),
    decidedAt: p.datetime().nullable(),
  }),
});
export type CreditRequest = InferEntity<typeof CreditRequest>;

/** Requests that wait for a decision, oldest first, at most 200. */
export const openCreditRequests = (em: EntityManager, now: Date): Promise<CreditRequest[]> =>
  em.find(CreditRequest, { decision: null, expiresAt: { $gt: now } }, { orderBy: { id: 'asc' }, limit: 200 });

/** Locks a request, and returns it as it is now. */
export const lockCreditRequest = (em: EntityManager, id: string): Promise<CreditRequest | null> =>
  em.findOne(CreditRequest, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Inserts one row at once. */
export async function insertCreditRequest(
  em: EntityManager,
  row: Omit<CreditRequest, 'decision' | 'decidedBy' | 'decidedAt'>,
): Promise<CreditRequest> {
  const request = em.create(CreditRequest, { ...row, decision: null, decidedBy: null, decidedAt: null });
  await em.flush();
  return request;
}
