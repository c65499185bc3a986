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
  /** Whether a journal of its own has taken it back. */
  reversed: boolean;
}

interface StatementPage {
  accountId: string;
  /** The journal that the page before ended with. */
  after: string | null;
  limit: number;
}

/**
 * The page alone is read, by the index of the account's entries: the balance after each of its lines is what the account has now, less what came later.
 * Ids of journals of one account follow each other, since they are made under its lock.
 */
export const creditPage = ({ accountId, after, limit }: StatementPage) => sql<CreditMovement>`
    with page as (
      select journal_id, currency, amount_minor from accounts.ledger_entry
      where account_id = ${accountId} and ledger = 'CUSTOMER_CREDIT' ${after === null ? sql`` : sql`and journal_id < ${after}`}
      order by journal_id desc limit ${limit}
    ), later as (
      select currency, sum(amount_minor) as amount from accounts.ledger_entry
      where account_id = ${accountId} and ledger = 'CUSTOMER_CREDIT' and journal_id > (select max(journal_id) from page) group by currency
    )
    select journal.id, kind, reference, note, posted_at as at, page.currency, (-page.amount_minor)::text as amount,
      (balance.amount_minor + coalesce(later.amount, 0) + coalesce(sum(page.amount_minor)
        over (partition by page.currency order by page.journal_id desc rows between unbounded preceding and 1 preceding), 0))::text as balance,
      exists (select from accounts.journal back where back.kind = 'credit_reversed' and back.reference = journal.id) as reversed
    from page join accounts.journal on journal.id = page.journal_id
      join accounts.credit_balance as balance on balance.account_id = ${accountId} and balance.currency = page.currency
      left join later on later.currency = page.currency
    order by page.journal_id desc`;

/** What moved an account's credit, newest first. */
export const creditMovements = async (em: EntityManager, page: StatementPage): Promise<CreditMovement[]> =>
  (await creditPage(page).execute(em.getKysely())).rows;

/** What a journal gave an account's credit. */
export const creditEntryOf = (em: EntityManager, journalId: string): Promise<LedgerEntry | null> =>
  em.findOne(LedgerEntry, { journalId, ledger: 'CUSTOMER_CREDIT' });
