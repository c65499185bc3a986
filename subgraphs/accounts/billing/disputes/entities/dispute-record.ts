import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** One line of a seller's record of use: when, and what. */
export interface RecordLine {
  /** ISO 8601. */
  at: string;
  text: string;
}

/** A seller's record of the use of what was disputed, as it was when it was asked for; `subject`: the plan or server. */
export const DisputeRecord = defineEntity({
  name: 'DisputeRecord',
  tableName: 'dispute_record',
  properties: (p) => ({
    disputeId: p.string().primary(),
    subject: p.string().primary(),
    title: p.string(),
    lines: p.json<RecordLine[]>(),
    givenAt: p.datetime(),
  }),
});
export type DisputeRecord = InferEntity<typeof DisputeRecord>;

export const recordsOfDispute = (em: EntityManager, disputeId: string): Promise<DisputeRecord[]> =>
  em.find(DisputeRecord, { disputeId }, { orderBy: { subject: 'asc' } });

/** Stores a record; it replaces an earlier one about the same subject. */
export const storeRecord = (em: EntityManager, record: DisputeRecord): Promise<DisputeRecord> => em.upsert(DisputeRecord, record);
