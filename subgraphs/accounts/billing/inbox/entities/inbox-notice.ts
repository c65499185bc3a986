import { type InferEntity, defineEntity, raw } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';

/**
 * A stored notice of a payment processor. Only its id and the id of what it is about are kept, since the present state is always fetched from the processor.
 */
export const InboxNotice = defineEntity({
  name: 'InboxNotice',
  tableName: 'inbox',
  properties: (p) => ({
    source: p.string().primary(),
    noticeId: p.string().primary(),
    type: p.string(),
    objectId: p.string(),
    receivedAt: p.datetime(),
    processedAt: p.datetime().nullable(),
    /** How often processing it has failed; `error` and `failedAt`: the last failure. */
    tries: p.integer(),
    error: p.string().nullable(),
    failedAt: p.datetime().nullable(),
  }),
});
export type InboxNotice = InferEntity<typeof InboxNotice>;
export type NoticeId = Pick<InboxNotice, 'source' | 'noticeId'>;

/** Stores a notice; false when it is stored already. */
export async function storeNotice(
  em: EntityManager,
  notice: Omit<InboxNotice, 'processedAt' | 'tries' | 'error' | 'failedAt'>,
): Promise<boolean> {
  const { affectedRows } = await em
    .qb(InboxNotice)
    .insert({ ...notice, processedAt: null, tries: 0 })
    .onConflict()
    .ignore()
    .execute('run');
  return affectedRows === 1;
}

/** A stored notice that has not been processed. */
export const waitingNotice = (em: EntityManager, { source, noticeId }: NoticeId): Promise<InboxNotice | null> =>
  em.findOne(InboxNotice, { source, noticeId, processedAt: null });

export const markProcessed = (em: EntityManager, { source, noticeId }: NoticeId, processedAt: Date): Promise<number> =>
  em.nativeUpdate(InboxNotice, { source, noticeId }, { processedAt });

/** Counts one more failure of processing it. */
export async function noteFailure(em: EntityManager, { source, noticeId }: NoticeId, failed: { error: string; at: Date }): Promise<void> {
  await em.nativeUpdate(
    InboxNotice,
    { source, noticeId, processedAt: null },
    { tries: raw('tries + 1'), error: failed.error, failedAt: failed.at },
  );
}

/** Notices that were not processed and that have failed, or were received before then; oldest first. */
export const lateNotices = (em: EntityManager, before: Date, limit: number): Promise<InboxNotice[]> =>
  em.find(
    InboxNotice,
    { processedAt: null, $or: [{ failedAt: { $ne: null } }, { receivedAt: { $lt: before } }] },
    { orderBy: { receivedAt: 'asc', noticeId: 'asc' }, limit },
  );

/** Notices that were received before then and were not processed; by id. */
export const lostNotices = (em: EntityManager, before: Date): AsyncGenerator<{ id: string; source: string }> =>
  everyRow(async (cursor, limit) => {
    const lost = { noticeId: { $gt: cursor }, processedAt: null, receivedAt: { $lt: before } };
    const notices = await em.find(InboxNotice, lost, { orderBy: { noticeId: 'asc' }, limit });
    return notices.map(({ source, noticeId }) => ({ id: noticeId, source }));
  });
