import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** The payer's bank takes a payment for fraud: whoever gives it back now is spared the dispute. */
export const FraudWarning = defineEntity({
  name: 'FraudWarning',
  tableName: 'fraud_warning',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    orderId: p.string(),
    accountId: p.string(),
    /** In the network's words. */
    kind: p.string(),
    /** Nobody has given the payment back or disputed it yet. */
    actionable: p.boolean(),
    warnedAt: p.datetime(),
    /** When somebody at the desk had done with it. */
    closedAt: p.datetime().nullable(),
  }),
});
export type FraudWarning = InferEntity<typeof FraudWarning>;

export const warningAt = (em: EntityManager, processor: Processor, processorId: string): Promise<FraudWarning | null> =>
  em.findOne(FraudWarning, { processor, processorId });

export const warningWithId = (em: EntityManager, id: string): Promise<FraudWarning | null> => em.findOne(FraudWarning, { id });

/** Those that nobody has done with, oldest first, at most 200. */
export const openWarnings = (em: EntityManager): Promise<FraudWarning[]> =>
  em.find(FraudWarning, { closedAt: null }, { orderBy: { warnedAt: 'asc', id: 'asc' }, limit: 200 });

/** One row, written now. */
export async function insertWarning(em: EntityManager, row: FraudWarning): Promise<FraudWarning> {
  const warning = em.create(FraudWarning, row);
  await em.flush();
  return warning;
}
