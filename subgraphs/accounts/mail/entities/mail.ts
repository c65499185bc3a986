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
    /** When the mail server refused it for good; `failure`: in which words. */
    failedAt: p.datetime().nullable(),
    failure: p.string().nullable(),
  }),
});
export type Mail = InferEntity<typeof Mail>;

/** Deletes mails that were sent or refused for good until that moment. */
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

/** Marks a mail as sent, and deletes its content. */
export async function markSent(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(Mail, { id, sentAt: null }, { sentAt: now, sealed: null });
}

/** Marks a mail as refused for good by the mail server, in these words. */
export async function markRefused(em: EntityManager, id: string, failure: string, now: Date): Promise<void> {
  await em.nativeUpdate(Mail, { id, sentAt: null }, { failedAt: now, failure });
}

/** Refused mails, the latest first. */
export const refusedMails = async (em: EntityManager, limit: number): Promise<RefusedMail[]> =>
  (await em.find(Mail, REFUSED, { orderBy: { failedAt: 'desc' }, limit })) as RefusedMail[];

/** A refused mail, locked until the end of the transaction. */
export const lockRefusedMail = async (em: EntityManager, id: string): Promise<RefusedMail | null> =>
  (await em.findOne(Mail, { id, ...REFUSED }, { lockMode: LockMode.PESSIMISTIC_WRITE })) as RefusedMail | null;

/** Makes a refused mail wait to be sent again. */
export async function forgetRefusal(em: EntityManager, id: string): Promise<void> {
  await em.nativeUpdate(Mail, { id }, { failedAt: null, failure: null });
}

/** Mails that were written before that moment and still wait, by id, after `cursor`. */
export const waitingMails = (
  em: EntityManager,
  { cursor, before, limit }: { cursor: string; before: Date; limit: number },
): Promise<Pick<Mail, 'id'>[]> =>
  em.find(
    Mail,
    { id: { $gt: cursor }, sentAt: null, failedAt: null, createdAt: { $lt: before } },
    { orderBy: { id: 'asc' }, limit, fields: ['id'] },
  );
