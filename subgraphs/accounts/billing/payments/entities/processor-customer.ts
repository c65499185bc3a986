import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../domain/payment-method.ts';

/** The customer that stands for an account at a processor, which keeps its means of payment. */
export const ProcessorCustomer = defineEntity({
  name: 'ProcessorCustomer',
  tableName: 'card_customer',
  properties: (p) => ({
    accountId: p.string().primary(),
    processor: p.string().$type<Processor>().primary(),
    processorId: p.string(),
    /** The means by which new subscriptions renew at this processor. */
    defaultMeansId: p.string().nullable().fieldName('default_card_id'),
  }),
});
export type ProcessorCustomer = InferEntity<typeof ProcessorCustomer>;

export const customerOfAccount = (em: EntityManager, processor: Processor, accountId: string): Promise<ProcessorCustomer | null> =>
  em.findOne(ProcessorCustomer, { accountId, processor });

/** The customer with a processor's id. */
export const customerAt = (em: EntityManager, processor: Processor, processorId: string): Promise<ProcessorCustomer | null> =>
  em.findOne(ProcessorCustomer, { processor, processorId });

/** The account's customers at all processors. */
export const customersOfAccount = (em: EntityManager, accountId: string): Promise<ProcessorCustomer[]> =>
  em.find(ProcessorCustomer, { accountId }, { orderBy: { processor: 'asc' } });

/** A customer that is known to exist. */
export const existingCustomer = (em: EntityManager, processor: Processor, accountId: string): Promise<ProcessorCustomer> =>
  em.findOneOrFail(ProcessorCustomer, { accountId, processor });

/** Closed accounts that still have a customer at a processor. */
export async function customersOfClosedAccounts(em: EntityManager): Promise<{ accountId: string }[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id as "accountId" from card_customer join account on account.id = account_id
    where closed_at is not null order by account_id limit 200`.execute(em.getKysely());
  return rows;
}

export async function forgetCustomer(em: EntityManager, processor: Processor, accountId: string): Promise<void> {
  await em.nativeDelete(ProcessorCustomer, { accountId, processor });
}

/** Inserts a customer; when several are inserted at once, one is written. */
export async function insertCustomer(em: EntityManager, processor: Processor, accountId: string, processorId: string): Promise<void> {
  await em.qb(ProcessorCustomer).insert({ accountId, processor, processorId, defaultMeansId: null }).onConflict().ignore().execute('run');
}

export const setDefaultMeans = (em: EntityManager, processor: Processor, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, processor }, { defaultMeansId: meansId });

/** Makes these means the default if there is none yet. */
export const setFirstDefaultMeans = (em: EntityManager, processor: Processor, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, processor, defaultMeansId: null }, { defaultMeansId: meansId });

export const forgetDefaultMeans = (em: EntityManager, accountId: string, meansId: string): Promise<number> =>
  em.nativeUpdate(ProcessorCustomer, { accountId, defaultMeansId: meansId }, { defaultMeansId: null });

/** The accounts that have these means as their default or renew a subscription by them. */
export async function accountsWithMeans(em: EntityManager, processor: Processor, meansId: string): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from card_customer where processor = ${processor} and (default_card_id = ${meansId}
      or exists (select from billing_subscription as renewed where renewed.account_id = card_customer.account_id and renewed.card_id = ${meansId}))
    order by account_id`.execute(em.getKysely());
  return rows.map(({ accountId }) => accountId);
}
