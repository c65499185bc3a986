import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** An account as the processor knows it that keeps its means of payment. */
export const ProcessorCustomer = defineEntity({
  name: 'ProcessorCustomer',
  tableName: 'card_customer',
  properties: (p) => ({
    accountId: p.string().primary(),
    processorId: p.string(),
    /** What new subscriptions renew by. */
    defaultMeansId: p.string().nullable().fieldName('default_card_id'),
  }),
});
export type ProcessorCustomer = InferEntity<typeof ProcessorCustomer>;

export const customerOfAccount = (em: EntityManager, accountId: string): Promise<ProcessorCustomer | null> =>
  em.findOne(ProcessorCustomer, { accountId });

/** One that is known to exist. */
export const existingCustomer = (em: EntityManager, accountId: string): Promise<ProcessorCustomer> =>
  em.findOneOrFail(ProcessorCustomer, { accountId });

/** Of several at once one is written. */
export async function insertCustomer(em: EntityManager, accountId: string, processorId: string): Promise<void> {
  await em.qb(ProcessorCustomer).insert({ accountId, processorId, defaultMeansId: null }).onConflict().ignore().execute('run');
}

export const setDefaultMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId }, { defaultMeansId: meansId });

/** The means are the default where there is none. */
export const setFirstDefaultMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, defaultMeansId: null }, { defaultMeansId: meansId });

export const forgetDefaultMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, defaultMeansId: meansId }, { defaultMeansId: null });
