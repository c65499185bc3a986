import { defineEntity } from '@mikro-orm/core';

export const Totp = defineEntity({
  name: 'Totp',
  tableName: 'totp',
  properties: (p) => ({
    accountId: p.string().primary(),
    secret: p.blob().$type<Buffer>(),
    createdAt: p.datetime(),
    confirmedAt: p.datetime().nullable(),
    lastStep: p.bigint('number'),
  }),
});
