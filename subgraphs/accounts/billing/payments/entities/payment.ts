import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { Charge } from '../domain/charge.ts';
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
    /** It came too late for its order, and became account credit. */
    credited: p.boolean(),
    /** What its payer has got back beyond the invoice, from the bank or by hand; this much less is owed when it is refunded. */
    lostMinor: p.bigint('number'),
  }),
});
export type Payment = InferEntity<typeof Payment>;

/** Whether this payment of a processor is in the books. */
export const isPaidBy = async (em: EntityManager, processor: Processor, processorId: string): Promise<boolean> =>
  (await em.count(Payment, { processor, processorId })) > 0;

/** The payment with a processor's id. */
export const paymentBy = (em: EntityManager, { processor, processorId }: Charge): Promise<Payment | null> =>
  em.findOne(Payment, { processor, processorId });

/** The payment as it is now; the caller holds the lock of its order. */
export const presentPayment = (em: EntityManager, id: string): Promise<Payment> => em.findOneOrFail(Payment, { id }, { refresh: true });

/** The payments of an order. */
export const paymentsOfOrder = (em: EntityManager, orderId: string): Promise<Payment[]> => em.find(Payment, { orderId, credited: false });

/** The payment of an order by a processor; it is known to exist. */
export const existingPayment = (em: EntityManager, orderId: string, processor: Processor): Promise<Payment> =>
  em.findOneOrFail(Payment, { orderId, processor, credited: false });

export async function insertPayment(
  em: EntityManager,
  payment: Omit<Payment, 'credited' | 'lostMinor'> & Partial<Pick<Payment, 'credited'>>,
): Promise<void> {
  await em.insert(Payment, { credited: false, ...payment, lostMinor: 0 });
}
