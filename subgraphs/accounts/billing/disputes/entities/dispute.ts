import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { DisputeReason, DisputeStage, DisputeStatus } from '../../payments/domain/payer-dispute.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** A dispute: a payer asks the processor to return the money. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    paymentId: p.string(),
    orderId: p.string(),
    /** The purchase: the order itself, or the purchase whose subscription the order renews or changes. */
    purchaseId: p.string(),
    accountId: p.string(),
    stage: p.string().$type<DisputeStage>(),
    status: p.string().$type<DisputeStatus>(),
    reason: p.string().$type<DisputeReason>(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
    /** The amount that is with the payer's bank now. */
    withdrawnMinor: p.bigint('number'),
    /** The fees that the processor has charged for it. */
    feeMinor: p.bigint('number'),
    feeCurrency: p.string().nullable(),
    respondBy: p.datetime().nullable(),
    openedAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    /** Since when the purchase is frozen because of it. */
    frozenAt: p.datetime().nullable(),
    /** When the desk was warned of the deadline. */
    warnedAt: p.datetime().nullable(),
    submittedAt: p.datetime().nullable(),
  }),
});
export type Dispute = InferEntity<typeof Dispute>;

export const disputeWithId = (em: EntityManager, id: string): Promise<Dispute | null> => em.findOne(Dispute, { id });

/** The dispute with this id at its processor. The caller holds the lock of its order. */
export const disputeAt = (em: EntityManager, processor: Processor, processorId: string): Promise<Dispute | null> =>
  em.findOne(Dispute, { processor, processorId }, { refresh: true });

export async function lockDispute(em: EntityManager, id: string): Promise<Dispute | null> {
  await em.flush();
  return em.findOne(Dispute, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/**
 * With `open`: disputes that need an answer, by their deadline, then those that the banks are deciding; otherwise decided ones, the latest first. At most 200.
 */
export const disputesListed = (em: EntityManager, open: boolean): Promise<Dispute[]> =>
  em.find(
    Dispute,
    { status: open ? { $in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } : { $in: ['WON', 'LOST', 'CLOSED'] } },
    { orderBy: open ? { status: 'asc', respondBy: 'asc nulls last', id: 'asc' } : { closedAt: 'desc', id: 'desc' }, limit: 200 },
  );

export const disputesOfOrder = (em: EntityManager, orderId: string): Promise<Dispute[]> =>
  em.find(Dispute, { orderId }, { orderBy: { openedAt: 'asc' } });

/** Whether another dispute has frozen the same purchase. */
export const isFrozenByAnother = async (em: EntityManager, { id, purchaseId }: Pick<Dispute, 'id' | 'purchaseId'>): Promise<boolean> =>
  (await em.count(Dispute, { purchaseId, id: { $ne: id }, frozenAt: { $ne: null } })) > 0;

/** Disputes whose deadline is before then and of which the desk was not warned. */
export const disputesDue = (em: EntityManager, before: Date): Promise<Dispute[]> =>
  em.find(Dispute, { status: 'NEEDS_RESPONSE', warnedAt: null, respondBy: { $lt: before } }, { orderBy: { respondBy: 'asc' }, limit: 200 });

/** Open disputes, which are compared with what the processor says from time to time. */
export const openDisputes = (em: EntityManager): Promise<Pick<Dispute, 'id' | 'processor' | 'processorId'>[]> =>
  em.find(Dispute, { status: { $in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } }, { fields: ['id', 'processor', 'processorId'], limit: 200 });

/** Inserts one row at once. */
export async function insertDispute(em: EntityManager, row: Dispute): Promise<Dispute> {
  const dispute = em.create(Dispute, row);
  await em.flush();
  return dispute;
}
