import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { PostingKind } from '../domain/ledger.ts';

/** One movement of money; its entries sum to zero, which the database checks at the commit. Never changed. */
export const Journal = defineEntity({
  name: 'Journal',
  tableName: 'journal',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<PostingKind>(),
    reference: p.string(),
    accountId: p.string().nullable(),
    note: p.string(),
    postedAt: p.datetime(),
  }),
});
export type Journal = InferEntity<typeof Journal>;
