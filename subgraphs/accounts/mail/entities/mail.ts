import { type InferEntity, defineEntity } from '@mikro-orm/core';

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
