import { type InferEntity, defineEntity } from '@mikro-orm/core';

/** `subject` is the platform's own id of the person; never an e-mail address. */
export const ChatIdentity = defineEntity({
  name: 'ChatIdentity',
  tableName: 'chat_identity',
  properties: (p) => ({
    subject: p.string().primary(),
    accountId: p.string(),
    name: p.string(),
    linkedAt: p.datetime(),
  }),
});
export type ChatIdentity = InferEntity<typeof ChatIdentity>;
