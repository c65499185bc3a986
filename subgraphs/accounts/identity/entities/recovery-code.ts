import { defineEntity } from '@mikro-orm/core';

export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: (p) => ({
    accountId: p.string().primary(),
    codeHash: p.string().primary(),
    usedAt: p.datetime().nullable(),
  }),
});
