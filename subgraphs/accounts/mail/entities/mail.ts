import { type InferEntity, defineEntity } from '@mikro-orm/core';
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
