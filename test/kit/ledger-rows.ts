// Reads the ledger for tests, and writes to it without the product, to show what the database itself refuses.
import { escapeLiteral } from 'pg';
import { type Query, addRow } from './tables.ts';

export interface HandEntry {
  ledger: string;
  amountMinor: number;
  currency?: string;
  accountId?: string;
}

const literal = (value: string | number | null) => (value === null ? 'null' : escapeLiteral(String(value)));

const insertEntry = (journalId: string, line: number, { ledger, amountMinor, currency = 'USD', accountId }: HandEntry) =>
  `insert into accounts.ledger_entry (journal_id, line, ledger, account_id, currency, amount_minor)
   values (${[journalId, line, ledger, accountId ?? null, currency, amountMinor].map(literal).join(', ')});`;

/** Runs the statements as one transaction in one query: if one is refused, even at the commit, none of them has an effect. */
async function atOnce(query: Query, statements: readonly string[]): Promise<void> {
  try {
    await query(`begin; ${statements.join('\n')} commit;`);
  } catch (error) {
    await query('rollback');
    throw error;
  }
}

/** Writes a journal with its entries, for an account or for none. */
export const writeJournal = (query: Query, id: string, entries: readonly HandEntry[], accountId: string | null = null): Promise<void> =>
  atOnce(query, [
    `insert into accounts.journal (id, kind, reference, account_id, note, posted_at)
     values (${[id, 'test', id, accountId, '', 'now'].map(literal).join(', ')});`,
    ...entries.map((entry, line) => insertEntry(id, line, entry)),
  ]);

/** Writes entries for a journal that exists already, or that does not exist. `from`: the line number of the first entry. */
export const writeEntries = (query: Query, journalId: string, entries: readonly HandEntry[], from = 0): Promise<void> =>
  atOnce(
    query,
    entries.map((entry, index) => insertEntry(journalId, from + index, entry)),
  );

/** Writes a journal without entries, in the transaction of `query`: the database refuses it at the commit, not before. */
export const addEmptyJournal = (query: Query, id: string): Promise<void> =>
  addRow(query, 'accounts.journal', { id, kind: 'test', reference: id, note: '', posted_at: 'now' });

const numbers = (rows: readonly { amount: string }[]) => rows.map(({ amount }) => Number(amount));

export const ledgerRows = (query: Query) => ({
  /** Ledger -> its sum in minor units, where it is not zero. Counts only journals with these references; all journals if none is given. */
  async sums(references: readonly string[] = []): Promise<Record<string, number>> {
    const rows = await query<{ ledger: string; sum: string }>(
      `select ledger, sum(amount_minor) as sum from accounts.ledger_entry join accounts.journal on id = journal_id
       where cardinality($1::text[]) = 0 or reference = any($1) group by ledger having sum(amount_minor) <> 0 order by ledger`,
      [references],
    );
    return Object.fromEntries(rows.map(({ ledger, sum }) => [ledger, Number(sum)]));
  },
  /** The sum of the ledger TAX for an account, in minor units: negative, a credit, where tax is owed. */
  async taxOf(accountId: string): Promise<number> {
    const [row] = await query<{ sum: string }>(
      `select coalesce(sum(amount_minor), 0) as sum from accounts.ledger_entry join accounts.journal on id = journal_id
       where journal.account_id = $1 and ledger = 'TAX'`,
      [accountId],
    );
    return Number(row?.sum);
  },
  /** The absolute amounts that journals of these kinds booked on a ledger, in minor units, the smallest first. */
  amountsOf: async (kinds: readonly string[], ledger: string): Promise<number[]> =>
    numbers(
      await query<{ amount: string }>(
        `select abs(amount_minor) as amount from accounts.ledger_entry join accounts.journal on id = journal_id
         where kind = any($1) and ledger = $2 order by 1`,
        [kinds, ledger],
      ),
    ),
  /** The debits of a ledger, each in minor units. */
  debitsOf: async (ledger: string): Promise<number[]> =>
    numbers(
      await query<{ amount: string }>('select amount_minor as amount from accounts.ledger_entry where ledger = $1 and amount_minor > 0', [
        ledger,
      ]),
    ),
  /** The currencies whose entries do not sum to zero. */
  unbalancedCurrencies: () =>
    query<{ currency: string }>('select currency from accounts.ledger_entry group by currency having sum(amount_minor) <> 0'),
  /** The kinds of journals that have been posted at least once. */
  kindsSeen: async (): Promise<string[]> =>
    (await query<{ kind: string }>('select distinct kind from accounts.journal order by kind')).map(({ kind }) => kind),
});
