import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';

/**
 * PENDING: promised to where it came from; CREDITED: that did not take it, the account's credit has it; FAILED: it came back, or what the processor says
 * is unclear, and a person decides; NOT_OWED: the customer has it another way.
 */
export const REFUND_STATUSES = ['PENDING', 'DONE', 'CREDITED', 'FAILED', 'NOT_OWED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** REFUND: of an order, with a credit note. PAY_OUT: of an account's credit, to the charge that it came from. */
export type RefundKind = 'REFUND' | 'PAY_OUT';

/** Money given back on an order, or paid out of an account's credit. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<RefundKind>().default('REFUND'),
    /** Of a pay-out: the order that its charge has paid, if any. */
    orderId: p.string().nullable(),
    /** Null: of a pay-out. */
    creditNoteId: p.string().nullable(),
    /** Of a pay-out alone: whose credit it was. */
    accountId: p.string().nullable(),
    /** Of a pay-out alone: the charge that it goes back to, "processor:its id there". */
    chargeId: p.string().nullable(),
    /** Where a person sends it; null: its processor is asked. */
    payTo: p.string().nullable(),
    destination: p.string().$type<MethodName>(),
    amountMinor: p.bigint('number'),
    /** Of the amount. */
    taxMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string(),
    status: p.string().$type<RefundStatus>(),
    processorId: p.string().nullable(),
    createdAt: p.datetime(),
    doneAt: p.datetime().nullable(),
    /** How often its processor has let it fail before. */
    attempt: p.integer(),
    /** Why it failed, in the processor's words; of one that waits for a person. */
    failure: p.string().nullable(),
    /** Made at the processor, by hand. */
    elsewhere: p.boolean(),
    /** Not owed because its payer has had as much of the payment beyond the invoice. */
    againstLoss: p.boolean(),
  }),
});
export type Refund = InferEntity<typeof Refund>;

export const refundWithId = (em: EntityManager, id: string): Promise<Refund | null> => em.findOne(Refund, { id });

/** One that is known to exist, as it stands now. */
export const presentRefund = (em: EntityManager, id: string): Promise<Refund> => em.findOneOrFail(Refund, { id }, { refresh: true });

/** What was given back on these orders, oldest first; of their credit nothing. */
export const refundsOfOrders = (em: EntityManager, orderIds: readonly string[]): Promise<Refund[]> =>
  em.find(Refund, { orderId: { $in: [...orderIds] }, kind: 'REFUND' }, { orderBy: { createdAt: 'asc', id: 'asc' } });

/** What of an order went back by this way, oldest first; as it stands now: the caller holds the order's lock. */
export const refundsTo = (em: EntityManager, orderId: string, destination: MethodName): Promise<Refund[]> =>
  em.find(Refund, { orderId, destination }, { orderBy: { createdAt: 'asc', id: 'asc' }, refresh: true });

/** What was paid out to a charge, oldest first; as it stands now: the caller holds the lock of its account. */
export const payOutsTo = (em: EntityManager, chargeId: string): Promise<Refund[]> =>
  em.find(Refund, { chargeId, kind: 'PAY_OUT' }, { orderBy: { createdAt: 'asc', id: 'asc' }, refresh: true });

/** What an account was paid out, newest first, at most 200. */
export const payOutsOfAccount = (em: EntityManager, accountId: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT' }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 200 });

/** The parts of one pay-out, in their order. */
export const partsOfPayOut = (em: EntityManager, accountId: string, id: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT', id: { $like: `${id}\\_%` } }, { orderBy: { id: 'asc' } });

/** All of them, also what became credit again, as they stand now. */
export const everyPayOut = (em: EntityManager, accountId: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT' }, { refresh: true });

/** Refunds that were promised before `olderThan` and have not arrived, by id; of those that a processor is asked for. */
export const pendingRefunds = (em: EntityManager, olderThan: Date): AsyncGenerator<Pick<Refund, 'id'>> =>
  everyRow((after, limit) =>
    em.find(
      Refund,
      { id: { $gt: after }, status: 'PENDING', payTo: null, createdAt: { $lt: olderThan } },
      { orderBy: { id: 'asc' }, limit, fields: ['id'] },
    ),
  );

/** One that is promised and has not arrived, and that a processor is asked for. */
export const pendingRefund = (em: EntityManager, id: string): Promise<Refund | null> =>
  em.findOne(Refund, { id, status: 'PENDING', payTo: null });

/** Whether it was this call that moved it from where it was. */
export const moveRefund = async (
  em: EntityManager,
  { id, status }: Pick<Refund, 'id' | 'status'>,
  change: Partial<Pick<Refund, 'status' | 'processorId' | 'doneAt' | 'failure' | 'attempt' | 'againstLoss'>>,
): Promise<boolean> => (await em.nativeUpdate(Refund, { id, status }, change)) === 1;

/** A part of one becomes one of its own. */
export async function lowerRefund(
  em: EntityManager,
  id: string,
  { amountMinor, taxMinor }: Pick<Refund, 'amountMinor' | 'taxMinor'>,
): Promise<void> {
  await em.nativeUpdate(Refund, { id }, { amountMinor, taxMinor });
}

/** The one that a processor knows by its own id. */
export const refundAt = (em: EntityManager, processorId: string): Promise<Refund | null> => em.findOne(Refund, { processorId });

/** Those that wait for a person, to decide or to send them, oldest first, at most 200. */
export const failedRefunds = (em: EntityManager): Promise<Refund[]> =>
  em.find(
    Refund,
    { $or: [{ status: 'FAILED' }, { status: 'PENDING', payTo: { $ne: null } }] },
    { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 200 },
  );

const DEFAULTS = {
  kind: 'REFUND' as RefundKind,
  accountId: null,
  chargeId: null,
  payTo: null,
  attempt: 0,
  failure: null,
  elsewhere: false,
  againstLoss: false,
};
type Defaulted = keyof typeof DEFAULTS;

/** One row, written now. */
export async function insertRefund(em: EntityManager, row: Omit<Refund, Defaulted> & Partial<Pick<Refund, Defaulted>>): Promise<Refund> {
  const refund = em.create(Refund, { ...DEFAULTS, ...row });
  await em.flush();
  return refund;
}
