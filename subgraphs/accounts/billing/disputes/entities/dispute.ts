import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { DisputeReason, DisputeStage, DisputeStatus } from '../../payments/domain/payer-dispute.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** A payer who wants the money back from the processor. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    paymentId: p.string(),
    orderId: p.string(),
    /** What was bought: the order itself, or the purchase whose subscription it renews or changes. */
    purchaseId: p.string(),
    accountId: p.string(),
    stage: p.string().$type<DisputeStage>(),
    status: p.string().$type<DisputeStatus>(),
    reason: p.string().$type<DisputeReason>(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
    /** With the payer's bank now. */
    withdrawnMinor: p.bigint('number'),
    /** What the processor has kept for it. */
    feeMinor: p.bigint('number'),
    feeCurrency: p.string().nullable(),
    respondBy: p.datetime().nullable(),
    openedAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    /** Since when what was bought stands still for it. */
    frozenAt: p.datetime().nullable(),
    /** When the desk was warned of its deadline. */
    warnedAt: p.datetime().nullable(),
    submittedAt: p.datetime().nullable(),
  }),
});
export type Dispute = InferEntity<typeof Dispute>;

export const disputeWithId = (em: EntityManager, id: string): Promise<Dispute | null> => em.findOne(Dispute, { id });

/** What a processor knows by its own id. The caller holds the lock of its order. */
export const disputeAt = (em: EntityManager, processor: Processor, processorId: string): Promise<Dispute | null> =>
  em.findOne(Dispute, { processor, processorId }, { refresh: true });

export async function lockDispute(em: EntityManager, id: string): Promise<Dispute | null> {
  await em.flush();
  return em.findOne(Dispute, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Those that can be answered first, by their deadline; then what the banks decide, then what is over. At most 200. */
export const disputesListed = (em: EntityManager, open: boolean): Promise<Dispute[]> =>
  em.find(
    Dispute,
    { status: open ? { $in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } : { $in: ['WON', 'LOST', 'CLOSED'] } },
    { orderBy: open ? { status: 'asc', respondBy: 'asc nulls last', id: 'asc' } : { closedAt: 'desc', id: 'desc' }, limit: 200 },
  );

export const disputesOfOrder = (em: EntityManager, orderId: string): Promise<Dispute[]> =>
  em.find(Dispute, { orderId }, { orderBy: { openedAt: 'asc' } });

/** Whether something else keeps a purchase still. */
export const isFrozenByAnother = async (em: EntityManager, { id, purchaseId }: Pick<Dispute, 'id' | 'purchaseId'>): Promise<boolean> =>
  (await em.count(Dispute, { purchaseId, id: { $ne: id }, frozenAt: { $ne: null } })) > 0;

/** Those whose deadline is before then, and of which the desk was not warned. */
export const disputesDue = (em: EntityManager, before: Date): Promise<Dispute[]> =>
  em.find(Dispute, { status: 'NEEDS_RESPONSE', warnedAt: null, respondBy: { $lt: before } }, { orderBy: { respondBy: 'asc' }, limit: 200 });

/** Open ones, by id: what the processor says of them is asked again from time to time. */
export const openDisputes = (em: EntityManager): Promise<Pick<Dispute, 'id' | 'processor' | 'processorId'>[]> =>
  em.find(Dispute, { status: { $in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } }, { fields: ['id', 'processor', 'processorId'], limit: 200 });

/** One row, written now. */
export async function insertDispute(em: EntityManager, row: Dispute): Promise<Dispute> {
  const dispute = em.create(Dispute, row);
  await em.flush();
  return dispute;
}
