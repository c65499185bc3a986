import { type InferEntity, defineEntity } from '@mikro-orm/core';

export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  properties: (p) => ({
    tokenHash: p.string().primary(),
    accountId: p.string().primary(),
    sessionId: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  }),
});
export type KnownDevice = InferEntity<typeof KnownDevice>;
