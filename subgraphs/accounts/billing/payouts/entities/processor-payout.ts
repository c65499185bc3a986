import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { PayoutStatus } from '../../payments/domain/balance-movement.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** A payout of a processor to our bank. */
export const ProcessorPayout = defineEntity({
  name: 'ProcessorPayout',
  tableName: 'processor_payout',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
    status: p.string().$type<PayoutStatus>(),
    failure: p.string().nullable(),
    arrivesAt: p.datetime().nullable(),
    /** Whether its lines were read; UNKNOWN: the processor does not tell them. */
    lines: p.string().$type<'WAITING' | 'READ' | 'UNKNOWN'>(),
    movedAt: p.datetime(),
  }),
});
export type ProcessorPayout = InferEntity<typeof ProcessorPayout>;

export async function insertPayout(em: EntityManager, payout: ProcessorPayout): Promise<void> {
  await em.qb(ProcessorPayout).insert(payout).onConflict(['processor', 'processorId']).ignore().execute('run');
}

type Known = Pick<ProcessorPayout, 'processor' | 'processorId'>;

export const payoutAt = (em: EntityManager, known: Known): Promise<ProcessorPayout | null> =>
  em.findOne(ProcessorPayout, { processor: known.processor, processorId: known.processorId }, { refresh: true });

/** The most at once; further ones are looked at the next time, when the finished ones are gone. */
const OPEN_AT_ONCE = 500;

/** Payouts that are not finished: whether they have arrived, their lines, or why they failed is not known yet; oldest first, at most 500. */
export const openPayouts = (em: EntityManager, processor: Processor): Promise<ProcessorPayout[]> =>
  em.find(
    ProcessorPayout,
    { processor, $or: [{ status: 'IN_TRANSIT' }, { lines: 'WAITING' }, { status: 'FAILED', failure: null }] },
    { orderBy: { id: 'asc' }, limit: OPEN_AT_ONCE },
  );

export async function changePayout(
  em: EntityManager,
  { id }: Pick<ProcessorPayout, 'id'>,
  change: Partial<Pick<ProcessorPayout, 'status' | 'failure' | 'arrivesAt' | 'lines'>>,
): Promise<void> {
  await em.nativeUpdate(ProcessorPayout, { id }, change);
}

/** The payouts of a span of time, newest first, at most 200. */
export const payoutsBetween = (em: EntityManager, { from, until }: { from: Date; until: Date }): Promise<ProcessorPayout[]> =>
  em.find(ProcessorPayout, { movedAt: { $gte: from, $lt: until } }, { orderBy: { movedAt: 'desc', id: 'desc' }, limit: 200 });

export interface PayoutSums {
  kind: string;
  lines: number;
  /** Minor units, before fees. */
  amount: string;
  fees: string;
}

/** The lines of a payout, summed by kind. */
export async function sumsOfPayout(em: EntityManager, { processor, processorId }: Known): Promise<PayoutSums[]> {
  const { rows } = await sql<PayoutSums>`
    select kind, count(*)::int as lines, sum(amount_minor)::text as amount, sum(fee_minor)::text as fees from processor_movement
    where processor = ${processor} and payout_id = ${processorId} and kind <> 'PAYOUT' group by kind order by kind`.execute(em.getKysely());
  return rows;
}
