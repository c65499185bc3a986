import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../domain/payment-method.ts';

/** An account as a processor knows it that keeps its means of payment. */
export const ProcessorCustomer = defineEntity({
  name: 'ProcessorCustomer',
  tableName: 'card_customer',
  properties: (p) => ({
    accountId: p.string().primary(),
    processor: p.string().$type<Processor>().primary(),
    processorId: p.string(),
    /** What new subscriptions by this processor renew by. */
    defaultMeansId: p.string().nullable().fieldName('default_card_id'),
  }),
});
export type ProcessorCustomer = InferEntity<typeof ProcessorCustomer>;

export const customerOfAccount = (em: EntityManager, processor: Processor, accountId: string): Promise<ProcessorCustomer | null> =>
  em.findOne(ProcessorCustomer, { accountId, processor });

/** The one that a processor calls so. */
export const customerAt = (em: EntityManager, processor: Processor, processorId: string): Promise<ProcessorCustomer | null> =>
  em.findOne(ProcessorCustomer, { processor, processorId });

/** As every processor knows it. */
export const customersOfAccount = (em: EntityManager, accountId: string): Promise<ProcessorCustomer[]> =>
  em.find(ProcessorCustomer, { accountId }, { orderBy: { processor: 'asc' } });

/** One that is known to exist. */
export const existingCustomer = (em: EntityManager, processor: Processor, accountId: string): Promise<ProcessorCustomer> =>
  em.findOneOrFail(ProcessorCustomer, { accountId, processor });

/** Accounts that are closed and whose processor still knows them. */
export async function customersOfClosedAccounts(em: EntityManager): Promise<{ accountId: string }[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id as "accountId" from card_customer join account on account.id = account_id
    where closed_at is not null order by account_id limit 200`.execute(em.getKysely());
  return rows;
}

export async function forgetCustomer(em: EntityManager, processor: Processor, accountId: string): Promise<void> {
  await em.nativeDelete(ProcessorCustomer, { accountId, processor });
}

/** Of several at once one is written. */
export async function insertCustomer(em: EntityManager, processor: Processor, accountId: string, processorId: string): Promise<void> {
  await em.qb(ProcessorCustomer).insert({ accountId, processor, processorId, defaultMeansId: null }).onConflict().ignore().execute('run');
}

export const setDefaultMeans = (em: EntityManager, processor: Processor, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, processor }, { defaultMeansId: meansId });

/** The means are the default where there is none. */
export const setFirstDefaultMeans = (em: EntityManager, processor: Processor, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, processor, defaultMeansId: null }, { defaultMeansId: meansId });

export const forgetDefaultMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, defaultMeansId: meansId }, { defaultMeansId: null });

/** Accounts of a processor's whose default these means are, or that renew something by them. */
export async function accountsWithMeans(em: EntityManager, processor: Processor, meansId: string): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from card_customer where processor = ${processor} and (default_card_id = ${meansId}
      or exists (select from billing_subscription as renewed where renewed.account_id = card_customer.account_id and renewed.card_id = ${meansId}))
    order by account_id`.execute(em.getKysely());
  return rows.map(({ accountId }) => accountId);
}
