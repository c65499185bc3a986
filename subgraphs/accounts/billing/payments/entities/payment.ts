import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../domain/payment-method.ts';

export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: (p) => ({
    id: p.string().primary(),
    orderId: p.string(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    paidAt: p.datetime(),
  }),
});
export type Payment = InferEntity<typeof Payment>;

/** Whether something was paid by this payment of a processor. */
export const isPaidBy = async (em: EntityManager, processor: Processor, processorId: string): Promise<boolean> =>
  (await em.count(Payment, { processor, processorId })) > 0;
