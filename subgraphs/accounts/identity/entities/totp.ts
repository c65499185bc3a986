import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

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
export type Totp = InferEntity<typeof Totp>;

/** The authenticator app of an account, confirmed or not. */
export const totpOfAccount = (em: EntityManager, accountId: string): Promise<Totp | null> => em.findOne(Totp, { accountId });

/** The confirmed app of an account, whose codes log-ins ask for. */
export const confirmedTotp = (em: EntityManager, accountId: string): Promise<Totp | null> =>
  em.findOne(Totp, { accountId, confirmedAt: { $ne: null } });

/** The app of an account that waits for its first code. */
export const unconfirmedTotp = (em: EntityManager, accountId: string): Promise<Totp | null> =>
  em.findOne(Totp, { accountId, confirmedAt: null });

export const hasTotp = async (em: EntityManager, accountId: string): Promise<boolean> =>
  (await em.count(Totp, { accountId, confirmedAt: { $ne: null } })) > 0;

/** Inserts an app that waits for its first code. */
export async function insertTotp(em: EntityManager, totp: Pick<Totp, 'accountId' | 'secret' | 'createdAt'>): Promise<void> {
  await em.insert(Totp, { ...totp, confirmedAt: null, lastStep: 0 });
}

/** Uses up the code of a time step; false when it or a later one has been used. */
export const takeTotpStep = async (em: EntityManager, accountId: string, step: number): Promise<boolean> =>
  (await em.nativeUpdate(Totp, { accountId, lastStep: { $lt: step } }, { lastStep: step })) === 1;

export async function deleteTotp(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(Totp, { accountId });
}
