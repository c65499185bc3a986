import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: (p) => ({
    id: p.string().primary(),
    tokenHash: p.string(),
    accountId: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime(),
    address: p.string(),
    userAgent: p.string(),
    strongAt: p.datetime().nullable(),
    /** Until when it may set up the second factor of a member of staff. */
    enrolUntil: p.datetime().nullable(),
  }),
});
export type Session = InferEntity<typeof Session>;

/** Those that are not over, the one used last first. */
export const openSessionsOf = (em: EntityManager, accountId: string, now: Date): Promise<Session[]> =>
  em.find(Session, { accountId, expiresAt: { $gt: now } }, { orderBy: { lastUsedAt: 'desc', id: 'desc' } });

export const sessionOfAccount = (em: EntityManager, id: string, accountId: string): Promise<Session | null> =>
  em.findOne(Session, { id, accountId });

export const sessionWithToken = (em: EntityManager, tokenHash: string): Promise<Session | null> => em.findOne(Session, { tokenHash });

/** The session has passed a second factor. */
export async function markStrong(em: EntityManager, id: string, accountId: string, now: Date): Promise<void> {
  await em.nativeUpdate(Session, { id, accountId }, { strongAt: now });
}

/** The session may set up the second factor of a member of staff until then. */
export async function allowEnrolment(em: EntityManager, id: string, accountId: string, until: Date): Promise<void> {
  await em.nativeUpdate(Session, { id, accountId }, { enrolUntil: until });
}

/** Whether there was one; with `accountId` one of that account. */
export const deleteSession = async (em: EntityManager, id: string, accountId?: string): Promise<boolean> =>
  (await em.nativeDelete(Session, { id, ...(accountId !== undefined && { accountId }) })) === 1;

/** How many there were; `keep` is the id of one that stays. */
export const deleteSessionsOf = (em: EntityManager, accountId: string, keep?: string): Promise<number> =>
  em.nativeDelete(Session, { accountId, ...(keep !== undefined && { id: { $ne: keep } }) });

export async function forgetSessions(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Session, { expiresAt: { $lte: until } });
}
