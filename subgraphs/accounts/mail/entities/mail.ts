import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: (p) => ({
    id: p.string().primary(),
    recipient: p.string(),
    kind: p.string(),
    sealed: p.blob().$type<Buffer>().nullable(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** When the mail server refused it for good, and in which words. */
    failedAt: p.datetime().nullable(),
    failure: p.string().nullable(),
  }),
});
export type Mail = InferEntity<typeof Mail>;

/** Forgets mails that were sent, or refused for good, until then. */
export async function forgetMails(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Mail, { sentAt: { $lte: until } });
  await em.nativeDelete(Mail, { failedAt: { $lte: until } });
}

/** A mail that was refused. */
export type RefusedMail = Mail & { failedAt: Date; failure: string };

const REFUSED = { failedAt: { $ne: null } };

export async function insertMail(em: EntityManager, mail: Pick<Mail, 'id' | 'recipient' | 'kind' | 'sealed' | 'createdAt'>): Promise<void> {
  await em.insert(Mail, { ...mail, sentAt: null });
}

export const mailWithId = (em: EntityManager, id: string): Promise<Mail | null> => em.findOne(Mail, { id });

/** It has left: what it said is forgotten. */
export async function markSent(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(Mail, { id, sentAt: null }, { sentAt: now, sealed: null });
}

/** The mail server will not take it, in these words. */
export async function markRefused(em: EntityManager, id: string, failure: string, now: Date): Promise<void> {
  await em.nativeUpdate(Mail, { id, sentAt: null }, { failedAt: now, failure });
}

/** The latest first. */
export const refusedMails = async (em: EntityManager, limit: number): Promise<RefusedMail[]> =>
  (await em.find(Mail, REFUSED, { orderBy: { failedAt: 'desc' }, limit })) as RefusedMail[];

/** A refused one, locked to the end of the transaction. */
export const lockRefusedMail = async (em: EntityManager, id: string): Promise<RefusedMail | null> =>
  (await em.findOne(Mail, { id, ...REFUSED }, { lockMode: LockMode.PESSIMISTIC_WRITE })) as RefusedMail | null;

/** A refused mail waits again. */
export async function forgetRefusal(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(Mail, { id }, { failedAt: null, failure: null });
}

/** Those that wait since before then, by id from the one after `cursor` on. */
export const waitingMails = (
  em: EntityManager,
  { cursor, before, limit }: { cursor: string; before: Date; limit: number },
): Promise<Pick<Mail, 'id'>[]> =>
  em.find(
    Mail,
    { id: { $gt: cursor }, sentAt: null, failedAt: null, createdAt: { $lt: before } },
    { orderBy: { id: 'asc' }, limit, fields: ['id'] },
  );
