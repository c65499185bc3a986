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

/** What a processor's payment has paid. */
export const paymentBy = (em: EntityManager, processor: Processor, processorId: string): Promise<Payment | null> =>
  em.findOne(Payment, { processor, processorId });

export const paymentsOfOrder = (em: EntityManager, orderId: string): Promise<Payment[]> => em.find(Payment, { orderId });

/** The one of a processor that paid an order; it is known to exist. */
export const existingPayment = (em: EntityManager, orderId: string, processor: Processor): Promise<Payment> =>
  em.findOneOrFail(Payment, { orderId, processor });

export async function insertPayment(em: EntityManager, payment: Payment): Promise<void> {
  await em.insert(Payment, payment);
}
