import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { MovementKind } from '../../payments/domain/balance-movement.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** One line of a processor's own books, as it was read there. */
export const ProcessorMovement = defineEntity({
  name: 'ProcessorMovement',
  tableName: 'processor_movement',
  properties: (p) => ({
    id: p.string().primary(),
    processor: p.string().$type<Processor>(),
    processorId: p.string(),
    kind: p.string().$type<MovementKind>(),
    subjectId: p.string().nullable(),
    paymentId: p.string().nullable(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
    feeMinor: p.bigint('number'),
    words: p.string(),
    payoutId: p.string().nullable(),
    movedAt: p.datetime(),
    availableAt: p.datetime(),
    readAt: p.datetime(),
  }),
});
export type ProcessorMovement = InferEntity<typeof ProcessorMovement>;

/** Of what is read again each time, that which was never read before. */
export async function unknownMovements<Movement extends { id: string }>(
  em: EntityManager,
  processor: Processor,
  movements: readonly Movement[],
): Promise<Movement[]> {
  if (movements.length === 0) return [];
  const known = await em.find(
    ProcessorMovement,
    { processor, processorId: { $in: movements.map(({ id }) => id) } },
    { fields: ['processorId'] },
  );
  const ids = new Set(known.map(({ processorId }) => processorId));
  return movements.filter(({ id }) => !ids.has(id));
}

/** Whether it was not known before. */
export const insertMovementOnce = async (em: EntityManager, movement: ProcessorMovement): Promise<boolean> =>
  (await em.qb(ProcessorMovement).insert(movement).onConflict(['processor', 'processorId']).ignore().execute('run')).affectedRows === 1;

/** Says of which payout these movements are lines. */
export async function noteLines(
  em: EntityManager,
  { processor, processorId }: { processor: Processor; processorId: string },
  movementIds: readonly string[],
): Promise<void> {
  await em.nativeUpdate(ProcessorMovement, { processor, processorId: { $in: [...movementIds] } }, { payoutId: processorId });
}

/** What a payout is made of, in the order in which it was read, but for the payout itself; after the line `after` on. */
export const linesOfPayout = (
  em: EntityManager,
  { processor, processorId }: { processor: Processor; processorId: string },
  { first, after }: { first: number; after: string | null },
): Promise<ProcessorMovement[]> =>
  em.find(
    ProcessorMovement,
    // One that came back is a line of the one that pays it out again.
    { processor, payoutId: processorId, $not: { kind: 'PAYOUT' }, ...(after !== null && { id: { $gt: after } }) },
    { orderBy: { id: 'asc' }, limit: first },
  );
