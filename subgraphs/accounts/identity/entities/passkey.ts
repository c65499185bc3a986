import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    credentialId: p.string(),
    name: p.string(),
    publicKey: p.blob().$type<Buffer>(),
    counter: p.bigint('number'),
    transports: p.array(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  }),
});
export type Passkey = InferEntity<typeof Passkey>;

export const passkeysOfAccount = (em: EntityManager, accountId: string): Promise<Passkey[]> =>
  em.find(Passkey, { accountId }, { orderBy: { id: 'asc' } });
