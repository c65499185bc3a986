import { sql } from 'kysely';
import { fail } from '#platform/errors.ts';
import { type PostingKind, STATEMENT_WORDS } from '../domain/ledger.ts';
import type { Context } from '../../../providers.ts';

export interface StatementLine {
  id: string;
  at: Date;
  title: string;
  note: string;
  /** The order, refund or grant behind it. */
  reference: string;
  /** Above zero: more credit. */
  amountMinor: number;
  balanceMinor: number;
  currency: string;
}

interface Row extends Omit<StatementLine, 'title' | 'amountMinor' | 'balanceMinor'> {
  kind: PostingKind;
  amount: string;
  balance: string;
}

/** An account's credit as the ledger has it, newest first, with the balance after each line. Errors: limit_invalid. */
export async function creditStatement(
  { em }: Pick<Context, 'em'>,
  accountId: string,
  { first, after }: { first: number; after?: string | null },
): Promise<{ items: StatementLine[]; next: string | null }> {
  if (first < 1 || first > 100) throw fail('limit_invalid', { field: 'first' });
  const { rows } = await sql<Row>`
    with statement as (
      select journal.id, journal.position, kind, reference, note, posted_at as at, entry.currency, -amount_minor as amount,
        -sum(amount_minor) over (partition by entry.currency order by journal.position) as balance
      from ledger_entry as entry join journal on journal.id = journal_id
      where entry.account_id = ${accountId} and ledger = 'CUSTOMER_CREDIT'
    )
    select id, kind, reference, note, at, currency, amount::text, balance::text from statement
    where ${after ?? null}::text is null or position < (select position from journal where id = ${after ?? null})
    order by position desc limit ${first + 1}`.execute(em.getKysely());
  const items = rows.slice(0, first).map(({ kind, amount, balance, at, ...row }) => ({
    ...row,
    at: new Date(at),
    title: STATEMENT_WORDS[kind],
    amountMinor: Number(amount),
    balanceMinor: Number(balance),
  }));
  return { items, next: rows.length > first ? (items.at(-1)?.id ?? null) : null };
}
