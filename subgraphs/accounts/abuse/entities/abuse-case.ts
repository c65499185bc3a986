import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { AbuseKind, AbuseState } from '../domain/abuse-case.ts';

/** A complaint about what customers do. */
export const AbuseCase = defineEntity({
  name: 'AbuseCase',
  tableName: 'abuse_case',
  properties: (p) => ({
    id: p.string().primary(),
    state: p.string().$type<AbuseState>(),
    kind: p.string().$type<AbuseKind>(),
    reporter: p.string(),
    complaint: p.string(),
    address: p.string().nullable(),
    happenedAt: p.datetime().nullable(),
    minutes: p.integer().nullable(),
    openedBy: p.string(),
    openedAt: p.datetime(),
    respondBy: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
  }),
});
export type AbuseCase = InferEntity<typeof AbuseCase>;

export const abuseCaseWithId = (em: EntityManager, id: string): Promise<AbuseCase | null> => em.findOne(AbuseCase, { id });

export async function lockAbuseCase(em: EntityManager, id: string): Promise<AbuseCase | null> {
  await em.flush();
  return em.findOne(AbuseCase, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/**
 * With `open`: cases that are not closed, first those with the earliest deadline for an answer, then the oldest. Otherwise: closed cases, the latest first. At
 * most 200.
 */
export const abuseCasesListed = (em: EntityManager, open: boolean): Promise<AbuseCase[]> =>
  open
    ? em.find(AbuseCase, { closedAt: null }, { orderBy: { respondBy: 'asc nulls last', openedAt: 'asc', id: 'asc' }, limit: 200 })
    : em.find(AbuseCase, { closedAt: { $ne: null } }, { orderBy: { closedAt: 'desc', id: 'desc' }, limit: 200 });

/** Inserts one row at once. */
export async function insertAbuseCase(em: EntityManager, row: AbuseCase): Promise<AbuseCase> {
  const abuse = em.create(AbuseCase, row);
  await em.flush();
  return abuse;
}
