import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Ledger, PostingKind } from '../domain/ledger.ts';

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: (p) => ({
    journalId: p.string().primary(),
    line: p.integer().primary(),
    ledger: p.string().$type<Ledger>(),
    accountId: p.string().nullable(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
  }),
});

export type LedgerEntry = InferEntity<typeof LedgerEntry>;

export async function insertEntries(em: EntityManager, entries: LedgerEntry[]): Promise<void> {
  await em.insertMany(LedgerEntry, entries);
}

export interface CreditMovement {
  id: string;
  kind: PostingKind;
  reference: string;
  note: string;
  at: Date;
  currency: string;
  /** Minor units; above zero: more credit. */
  amount: string;
  /** After it. */
  balance: string;
}

/** What moved an account's credit, newest first, from the journal after the cursor `after` on. */
export async function creditMovements(
  em: EntityManager,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<CreditMovement[]> {
  const { rows } = await sql<CreditMovement>`
    with statement as (
      select journal.id, journal.position, kind, reference, note, posted_at as at, entry.currency, -amount_minor as amount,
        -sum(amount_minor) over (partition by entry.currency order by journal.position) as balance
      from ledger_entry as entry join journal on journal.id = journal_id
      where entry.account_id = ${accountId} and ledger = 'CUSTOMER_CREDIT'
    )
    select id, kind, reference, note, at, currency, amount::text, balance::text from statement
    where ${after}::text is null or position < (select position from journal where id = ${after})
    order by position desc limit ${limit}`.execute(em.getKysely());
  return rows;
}
