import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** GRANT: credit is given. PAY_OUT: it is paid out to what it came from. */
export const CREDIT_REQUEST_KINDS = ['GRANT', 'PAY_OUT'] as const;
export type CreditRequestKind = (typeof CREDIT_REQUEST_KINDS)[number];

export const CREDIT_DECISIONS = ['APPROVED', 'DECLINED'] as const;
export type CreditDecision = (typeof CREDIT_DECISIONS)[number];

/** Credit that one member of support asks for, given or paid out, and that another one agrees to. */
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
    /** Of a pay-out: where a person sends what no processor gives back. */
    payTo: p.string().nullable(),
    askedBy: p.string(),
    askedAt: p.datetime(),
    expiresAt: p.datetime(),
    decision: p.string().$type<CreditDecision>().nullable(),
    decidedBy: p.string().nullable(),
    decidedAt: p.datetime().nullable(),
  }),
});
export type CreditRequest = InferEntity<typeof CreditRequest>;

/** Those that wait for an answer, oldest first. */
export const openCreditRequests = (em: EntityManager, now: Date): Promise<CreditRequest[]> =>
  em.find(CreditRequest, { decision: null, expiresAt: { $gt: now } }, { orderBy: { id: 'asc' }, limit: 200 });

/** Under a row lock, as it is now. */
export const lockCreditRequest = (em: EntityManager, id: string): Promise<CreditRequest | null> =>
  em.findOne(CreditRequest, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** One row, written now. */
export async function insertCreditRequest(
  em: EntityManager,
  row: Omit<CreditRequest, 'decision' | 'decidedBy' | 'decidedAt'>,
): Promise<CreditRequest> {
  const request = em.create(CreditRequest, { ...row, decision: null, decidedBy: null, decidedAt: null });
  await em.flush();
  return request;
}
