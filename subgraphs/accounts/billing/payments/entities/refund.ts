import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { MethodName } from '../domain/payment-method.ts';

/** Money given back on an order. PENDING: promised to where it came from; CREDITED: that did not take it, the account's credit has it. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: (p) => ({
    id: p.string().primary(),
    orderId: p.string(),
    creditNoteId: p.string(),
    destination: p.string().$type<MethodName>(),
    amountMinor: p.bigint('number'),
    /** Of the amount. */
    taxMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string(),
    status: p.string().$type<'PENDING' | 'DONE' | 'CREDITED'>(),
    processorId: p.string().nullable(),
    createdAt: p.datetime(),
    doneAt: p.datetime().nullable(),
  }),
});
export type Refund = InferEntity<typeof Refund>;

export const refundWithId = (em: EntityManager, id: string): Promise<Refund | null> => em.findOne(Refund, { id });

/** What was given back on an order, oldest first. */
export const refundsOfOrder = (em: EntityManager, orderId: string): Promise<Refund[]> =>
  em.find(Refund, { orderId }, { orderBy: { createdAt: 'asc', id: 'asc' } });

/** What of an order went back by this way. */
export const refundsTo = (em: EntityManager, orderId: string, destination: MethodName): Promise<Refund[]> =>
  em.find(Refund, { orderId, destination });

/** Refunds that were promised before `olderThan` and have not arrived, by id. */
export const pendingRefunds = (em: EntityManager, olderThan: Date): AsyncGenerator<Pick<Refund, 'id'>> =>
  everyRow((after, limit) =>
    em.find(
      Refund,
      { id: { $gt: after }, status: 'PENDING', createdAt: { $lt: olderThan } },
      { orderBy: { id: 'asc' }, limit, fields: ['id'] },
    ),
  );

/** One that is promised and has not arrived. */
export const pendingRefund = (em: EntityManager, id: string): Promise<Refund | null> => em.findOne(Refund, { id, status: 'PENDING' });

/** Whether it was this call that ended it. */
export const endRefund = async (em: EntityManager, id: string, end: Pick<Refund, 'status' | 'processorId' | 'doneAt'>): Promise<boolean> =>
  (await em.nativeUpdate(Refund, { id, status: 'PENDING' }, end)) === 1;

/** One row, written now. */
export async function insertRefund(em: EntityManager, row: Refund): Promise<Refund> {
  const refund = em.create(Refund, row);
  await em.flush();
  return refund;
}
