import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** The key pair by which push services know the platform: one row. */
export const PushKey = defineEntity({
  name: 'PushKey',
  tableName: 'push_key',
  properties: (p) => ({
    id: p.string().primary(),
    publicKey: p.string(),
    privateSealed: p.blob().$type<Buffer>(),
    createdAt: p.datetime(),
  }),
});
export type PushKey = InferEntity<typeof PushKey>;

export const PUSH_KEY_ID = 'vapid';

export const storedPushKey = (em: EntityManager): Promise<PushKey | null> => em.findOne(PushKey, { id: PUSH_KEY_ID });

/** Stores the pair unless there is one: of two processes that begin at once, the first one's counts. */
export async function storePushKey(em: EntityManager, { publicKey, privateSealed, createdAt }: Omit<PushKey, 'id'>): Promise<void> {
  await sql`
    insert into push_key (id, public_key, private_sealed, created_at)
    values (${PUSH_KEY_ID}, ${publicKey}, ${privateSealed}, ${createdAt}::timestamptz) on conflict do nothing`.execute(em.getKysely());
}
