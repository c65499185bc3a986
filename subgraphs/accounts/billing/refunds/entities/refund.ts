import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';

/**
 * PENDING: promised to where the money came from; CREDITED: it could not be returned there and became account credit; FAILED: it came back, or the
 * processor's answer is unclear, and a person decides; NOT_OWED: the customer has got the money in another way.
 */
export const REFUND_STATUSES = ['PENDING', 'DONE', 'CREDITED', 'FAILED', 'NOT_OWED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** REFUND: money of an order, with a credit note. PAY_OUT: credit of an account, returned to the charge that it came from. */
export type RefundKind = 'REFUND' | 'PAY_OUT';

/** Money given back on an order, or paid out of an account's credit. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<RefundKind>().default('REFUND'),
    /** The order; for a pay-out the order that its charge has paid, if any. */
    orderId: p.string().nullable(),
    /** Null for a pay-out. */
    creditNoteId: p.string().nullable(),
    /** For a pay-out: the account whose credit it was. */
    accountId: p.string().nullable(),
    /** For a pay-out: the charge that it is returned to, as "processor:the processor's id". */
    chargeId: p.string().nullable(),
    /** The bank account or address to which a person sends it; null: the processor returns it. */
    payTo: p.string().nullable(),
    destination: p.string().$type<MethodName>(),
    amountMinor: p.bigint('number'),
    /** The tax within the amount. */
    taxMinor: p.bigint('number'),
    currency: p.string(),
    reason: p.string(),
    status: p.string().$type<RefundStatus>(),
    processorId: p.string().nullable(),
    createdAt: p.datetime(),
    doneAt: p.datetime().nullable(),
    /** How many attempts have failed at the processor before. */
    attempt: p.integer(),
    /** Why it failed, in the processor's words, while it waits for a person. */
    failure: p.string().nullable(),
    /** True: somebody made it by hand, at the processor. */
    elsewhere: p.boolean(),
    /** True: not owed, because the payer has already got as much of the payment beyond the invoice. */
    againstLoss: p.boolean(),
  }),
});
export type Refund = InferEntity<typeof Refund>;

export const refundWithId = (em: EntityManager, id: string): Promise<Refund | null> => em.findOne(Refund, { id });

/** A refund that is known to exist, as it is now. */
export const presentRefund = (em: EntityManager, id: string): Promise<Refund> => em.findOneOrFail(Refund, { id }, { refresh: true });

/** The refunds of these orders, oldest first, without pay-outs of credit. */
export const refundsOfOrders = (em: EntityManager, orderIds: readonly string[]): Promise<Refund[]> =>
  em.find(Refund, { orderId: { $in: [...orderIds] }, kind: 'REFUND' }, { orderBy: { createdAt: 'asc', id: 'asc' } });

/** The refunds of an order by one method, oldest first, as they are now; the caller holds the order's lock. */
export const refundsTo = (em: EntityManager, orderId: string, destination: MethodName): Promise<Refund[]> =>
  em.find(Refund, { orderId, destination }, { orderBy: { createdAt: 'asc', id: 'asc' }, refresh: true });

/** The pay-outs to a charge, oldest first, as they are now; the caller holds the account's lock. */
export const payOutsTo = (em: EntityManager, chargeId: string): Promise<Refund[]> =>
  em.find(Refund, { chargeId, kind: 'PAY_OUT' }, { orderBy: { createdAt: 'asc', id: 'asc' }, refresh: true });

/** The pay-outs of an account, newest first, at most 200. */
export const payOutsOfAccount = (em: EntityManager, accountId: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT' }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 200 });

/** The rows of one pay-out, in their order. */
export const partsOfPayOut = (em: EntityManager, accountId: string, id: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT', id: { $like: `${id}\\_%` } }, { orderBy: { id: 'asc' } });

/** All pay-outs of an account as they are now, those included that became credit again. */
export const everyPayOut = (em: EntityManager, accountId: string): Promise<Refund[]> =>
  em.find(Refund, { accountId, kind: 'PAY_OUT' }, { refresh: true });

/** The refunds that a processor makes, that were promised before `olderThan` and have not arrived, by id. */
export const pendingRefunds = (em: EntityManager, olderThan: Date): AsyncGenerator<Pick<Refund, 'id'>> =>
  everyRow((after, limit) =>
    em.find(
      Refund,
      { id: { $gt: after }, status: 'PENDING', payTo: null, createdAt: { $lt: olderThan } },
      { orderBy: { id: 'asc' }, limit, fields: ['id'] },
    ),
  );

/** A refund that a processor makes and that has not arrived yet. */
export const pendingRefund = (em: EntityManager, id: string): Promise<Refund | null> =>
  em.findOne(Refund, { id, status: 'PENDING', payTo: null });

/** Moves a refund to another status; false: another call was first. */
export const moveRefund = async (
  em: EntityManager,
  { id, status }: Pick<Refund, 'id' | 'status'>,
  change: Partial<Pick<Refund, 'status' | 'processorId' | 'doneAt' | 'failure' | 'attempt' | 'againstLoss'>>,
): Promise<boolean> => (await em.nativeUpdate(Refund, { id, status }, change)) === 1;

/** Lowers the amount of a refund, of which a part becomes a refund of its own. */
export async function lowerRefund(
  em: EntityManager,
  id: string,
  { amountMinor, taxMinor }: Pick<Refund, 'amountMinor' | 'taxMinor'>,
): Promise<void> {
  await em.nativeUpdate(Refund, { id }, { amountMinor, taxMinor });
}

/** The refund with a processor's id. */
export const refundAt = (em: EntityManager, processorId: string): Promise<Refund | null> => em.findOne(Refund, { processorId });

/** The refunds that wait for a person to decide about them or to send them, oldest first, at most 200. */
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

/** Inserts one row at once. */
export async function insertRefund(em: EntityManager, row: Omit<Refund, Defaulted> & Partial<Pick<Refund, Defaulted>>): Promise<Refund> {
  const refund = em.create(Refund, { ...DEFAULTS, ...row });
  await em.flush();
  return refund;
}
