import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** What waits to be sent to one browser. */
export const PushMessage = defineEntity({
  name: 'PushMessage',
  tableName: 'push_message',
  properties: (p) => ({
    id: p.string().primary(),
    deviceId: p.string(),
    kind: p.string(),
    topic: p.string(),
    sealed: p.blob().$type<Buffer>(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    failures: p.integer(),
    nextTryAt: p.datetime(),
  }),
});
export type PushMessage = InferEntity<typeof PushMessage>;

export async function insertMessages(em: EntityManager, messages: readonly PushMessage[]): Promise<void> {
  await em.insertMany(PushMessage, [...messages]);
}

/** Takes a message that is due, until `until`; null: another one sends it, or it is not due, or over. */
export async function claimMessage(em: EntityManager, id: string, now: Date, until: Date): Promise<PushMessage | null> {
  const taken = await em.nativeUpdate(PushMessage, { id, nextTryAt: { $lte: now } }, { nextTryAt: until });
  return taken === 0 ? null : em.findOne(PushMessage, { id }, { refresh: true });
}

/** Whether a newer message says the same anew. */
export const isReplaced = async (em: EntityManager, { id, deviceId, topic }: PushMessage): Promise<boolean> =>
  (await em.count(PushMessage, { deviceId, topic, id: { $gt: id } })) > 0;

export async function retryMessage(em: EntityManager, id: string, failures: number, nextTryAt: Date): Promise<void> {
  await em.nativeUpdate(PushMessage, { id }, { failures, nextTryAt });
}

/** Deletes a message that was sent, and older ones that say what is past. */
export async function deleteSent(em: EntityManager, { id, deviceId, topic }: PushMessage): Promise<void> {
  await em.nativeDelete(PushMessage, { deviceId, topic, id: { $lte: id } });
}

export async function deleteMessage(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(PushMessage, { id });
}

/** Deletes what waits for browsers that are gone, and what is too old. */
export async function forgetMessages(em: EntityManager, now: Date): Promise<void> {
  await sql`
    delete from push_message where expires_at <= ${now}::timestamptz
      or not exists (select from push_device where push_device.id = push_message.device_id)`.execute(em.getKysely());
}

/** Messages that are due, by id, after `cursor`. */
export const dueMessages = (em: EntityManager, now: Date, cursor: string, limit: number): Promise<Pick<PushMessage, 'id'>[]> =>
  em.find(PushMessage, { id: { $gt: cursor }, nextTryAt: { $lte: now } }, { orderBy: { id: 'asc' }, limit, fields: ['id'] });

export const countMessages = (em: EntityManager): Promise<number> => em.count(PushMessage, {});
