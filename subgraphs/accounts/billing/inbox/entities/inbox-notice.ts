import { defineEntity } from '@mikro-orm/core';

/** A stored notice of an outside system; only its id and what it is about are kept, for the truth is fetched anew. */
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
  }),
});
