import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** The payer's bank suspects fraud: a refund now avoids a dispute. */
export const FraudWarning = defineEntity({
  name: 'FraudWarning',
  tableName: 'fraud_warning',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    orderId: p.string(),
    accountId: p.string(),
    /** The kind in the card network's words. */
    kind: p.string(),
    /** The payment has been neither refunded nor disputed yet. */
    actionable: p.boolean(),
    warnedAt: p.datetime(),
    /** When the desk has closed it. */
    closedAt: p.datetime().nullable(),
  }),
});
export type FraudWarning = InferEntity<typeof FraudWarning>;

export const warningAt = (em: EntityManager, processor: Processor, processorId: string): Promise<FraudWarning | null> =>
  em.findOne(FraudWarning, { processor, processorId });

export const warningWithId = (em: EntityManager, id: string): Promise<FraudWarning | null> => em.findOne(FraudWarning, { id });

/** Warnings that the desk has not closed, oldest first, at most 200. */
export const openWarnings = (em: EntityManager): Promise<FraudWarning[]> =>
  em.find(FraudWarning, { closedAt: null }, { orderBy: { warnedAt: 'asc', id: 'asc' }, limit: 200 });

/** Inserts one row at once. */
export async function insertWarning(em: EntityManager, row: FraudWarning): Promise<FraudWarning> {
  const warning = em.create(FraudWarning, row);
  await em.flush();
  return warning;
}
