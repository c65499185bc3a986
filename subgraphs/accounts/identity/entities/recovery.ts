import { defineEntity } from '@mikro-orm/core';

export const Recovery = defineEntity({
  name: 'Recovery',
  tableName: 'recovery',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    tokenHash: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
