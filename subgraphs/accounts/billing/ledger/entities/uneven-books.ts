// What the database refuses at every commit, looked at over all of the books: for a copy of them that has come another way.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface UnevenBook {
  what: 'journal' | 'balance of credit' | 'balance of tax';
  /** A journal's id, or an account's. */
  of: string;
  currency: string;
  /** Minor units that the entries say; zero for a journal. */
  entries: string;
  /** Minor units that stand there. */
  stored: string;
}

export interface BooksAudit {
  journals: number;
  entries: number;
  uneven: UnevenBook[];
}

/** Journals that do not sum to zero, and balances that do not follow from the entries. */
export async function auditBooks(em: EntityManager): Promise<BooksAudit> {
  const { rows } = await sql<{ journals: number; entries: number }>`
    select (select count(*) from journal)::int as journals, (select count(*) from ledger_entry)::int as entries`.execute(em.getKysely());
  const { rows: uneven } = await sql<UnevenBook>`
    with entries as (
      select ledger, coalesce(entry.account_id, journal.account_id) as account_id, currency, -sum(amount_minor) as amount
      from ledger_entry entry join journal on journal.id = journal_id where ledger in ('CUSTOMER_CREDIT', 'TAX')
        and coalesce(entry.account_id, journal.account_id) is not null
      group by 1, 2, 3
    ), balance as (
      select 'CUSTOMER_CREDIT' as ledger, account_id, currency, amount_minor as amount from credit_balance
      union all select 'TAX', account_id, currency, amount_minor from tax_balance
    )
    select 'journal' as what, journal.id as of, coalesce(currency, '') as currency, '0' as entries, coalesce(sum(amount_minor), 0)::text as stored
      from journal left join ledger_entry on journal_id = journal.id
      group by journal.id, currency having coalesce(sum(amount_minor), 1) <> 0
    union all
    select 'balance of ' || lower(replace(ledger, 'CUSTOMER_', '')), account_id, currency, coalesce(entries.amount, 0)::text, coalesce(balance.amount, 0)::text
      from entries full join balance using (ledger, account_id, currency)
      where coalesce(entries.amount, 0) <> coalesce(balance.amount, 0)
    order by 1, 2, 3`.execute(em.getKysely());
  return { journals: rows[0]?.journals ?? 0, entries: rows[0]?.entries ?? 0, uneven };
}
