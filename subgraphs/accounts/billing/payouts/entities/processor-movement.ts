import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { MovementKind } from '../../payments/domain/balance-movement.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** One movement in a processor's own books, as it was read there. */
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

/** Those of these movements that are not stored yet; some are read several times. */
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

/** Stores a movement; returns whether it is new. */
export const insertMovementOnce = async (em: EntityManager, movement: ProcessorMovement): Promise<boolean> =>
  (await em.qb(ProcessorMovement).insert(movement).onConflict(['processor', 'processorId']).ignore().execute('run')).affectedRows === 1;

/** Notes that these movements are lines of a payout. */
export async function noteLines(
  em: EntityManager,
  { processor, processorId }: { processor: Processor; processorId: string },
  movementIds: readonly string[],
): Promise<void> {
  await em.nativeUpdate(ProcessorMovement, { processor, processorId: { $in: [...movementIds] } }, { payoutId: processorId });
}

/** The lines of a payout except the payout itself, in the order in which they were read; `after`: the id of the line to continue after. */
export const linesOfPayout = (
  em: EntityManager,
  { processor, processorId }: { processor: Processor; processorId: string },
  { first, after }: { first: number; after: string | null },
): Promise<ProcessorMovement[]> =>
  em.find(
    ProcessorMovement,
    // A payout that was returned is a line of the payout that sends its money again.
    { processor, payoutId: processorId, $not: { kind: 'PAYOUT' }, ...(after !== null && { id: { $gt: after } }) },
    { orderBy: { id: 'asc' }, limit: first },
  );
