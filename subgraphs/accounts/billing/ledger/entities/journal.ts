import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Ledger, PostingKind } from '../domain/ledger.ts';

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

/** Whether it was written: of one thing each kind stands in the books once. */
export const insertJournalOnce = async (em: EntityManager, journal: Journal): Promise<boolean> =>
  (await em.qb(Journal).insert(journal).onConflict(['kind', 'reference']).ignore().execute('run')).affectedRows === 1;

/** Whether that movement stands in the books. */
export const isPosted = async (em: EntityManager, kind: PostingKind, reference: string): Promise<boolean> =>
  (await em.findOne(Journal, { kind, reference })) !== null;

/** What a movement that stands in the books has posted to a ledger, without its sign; 0: nothing, or it does not stand there. */
export async function postedTo(em: EntityManager, kind: PostingKind, reference: string, ledger: Ledger): Promise<number> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(abs(sum(amount_minor)), 0)::text as amount from ledger_entry join journal on journal.id = journal_id
    where kind = ${kind} and reference = ${reference} and ledger = ${ledger}`.execute(em.getKysely());
  return Number(rows[0]?.amount ?? 0);
}

/** Until this transaction ends nobody else posts by this reference who asks for it by the same lock. */
export async function lockReference(em: EntityManager, reference: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${reference}))`.execute(em.getKysely());
}

/** One that is known by its id. */
export const journalWithId = (em: EntityManager, id: string): Promise<Journal | null> => em.findOne(Journal, { id });
