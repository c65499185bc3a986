import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** How far the books of a processor have been read. */
export const ProcessorReading = defineEntity({
  name: 'ProcessorReading',
  tableName: 'processor_reading',
  properties: (p) => ({
    processor: p.string().$type<Processor>().primary(),
    readUntil: p.datetime(),
    /** Currency -> the balance that the processor reported last, in minor units. */
    held: p.json<Record<string, number>>(),
  }),
});
export type ProcessorReading = InferEntity<typeof ProcessorReading>;

export const readingOf = (em: EntityManager, processor: Processor): Promise<ProcessorReading | null> =>
  em.findOne(ProcessorReading, { processor }, { refresh: true });

/** When the first order was placed; null: there is none. The books are read from there, since a payment may be booked days after it began. */
export async function firstPlacedAt(em: EntityManager): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(placed_at) as at from customer_order`.execute(em.getKysely());
  const at = rows[0]?.at;
  return at ? new Date(at) : null;
}

/**
 * When the oldest order was placed whose payment was booked since then and is missing in what was read of the processor's books: a payment that waits for a
 * bank or a review is dated there when it began. Null: there is none.
 */
export async function firstUnreadAt(em: EntityManager, processor: Processor, paidSince: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(placed_at) as at
    from payment join customer_order on customer_order.id = payment.order_id
    where payment.processor = ${processor} and payment.paid_at >= ${paidSince} and not exists (
      select from processor_movement as movement
      where movement.processor = payment.processor and movement.payment_id = payment.processor_id and movement.kind = 'PAYMENT')`.execute(
    em.getKysely(),
  );
  const at = rows[0]?.at;
  return at ? new Date(at) : null;
}

/**
 * When the oldest hold began of disputes that are open or were closed since then: some processors date the end of a hold at its beginning, so everything from
 * there is read again. Null: there is none.
 */
export async function firstHeldAt(em: EntityManager, processor: Processor, closedSince: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(movement.moved_at) as at
    from dispute join payment on payment.id = dispute.payment_id
      join processor_movement as movement on movement.processor = payment.processor and movement.payment_id = payment.processor_id
    where dispute.processor = ${processor} and movement.kind = 'DISPUTE'
      and (closed_at is null or closed_at >= ${closedSince.toISOString()}::timestamptz)`.execute(em.getKysely());
  const at = rows[0]?.at;
  return at ? new Date(at) : null;
}

/** Moves the cursor, but never back: of two readers the later position is kept. */
export async function moveReading(em: EntityManager, processor: Processor, readUntil: Date): Promise<void> {
  await sql`insert into processor_reading (processor, read_until, held) values (${processor}, ${readUntil}, '{}')
    on conflict (processor) do update set read_until = greatest(processor_reading.read_until, excluded.read_until)`.execute(em.getKysely());
}

export async function noteHeld(em: EntityManager, processor: Processor, held: Record<string, number>): Promise<void> {
  await em.nativeUpdate(ProcessorReading, { processor }, { held });
}
