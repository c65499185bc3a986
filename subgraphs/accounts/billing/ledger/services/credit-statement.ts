import { fail } from '#platform/errors.ts';
import { REVERSIBLE, STATEMENT_WORDS } from '../domain/ledger.ts';
import { creditMovements } from '../entities/ledger-entry.ts';
import type { LedgerContext } from '../context.ts';

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
  /** Support may take it back. */
  reversible: boolean;
  currency: string;
}

/** An account's credit as the ledger has it, newest first, with the balance after each line. Errors: limit_invalid. */
export async function creditStatement(
  { em }: Pick<LedgerContext, 'em'>,
  accountId: string,
  { first, after }: { first: number; after?: string | null },
): Promise<{ items: StatementLine[]; next: string | null }> {
  if (first < 1 || first > 100) throw fail('limit_invalid', { field: 'first' });
  const rows = await creditMovements(em, { accountId, after: after ?? null, limit: first + 1 });
  const items = rows.slice(0, first).map(({ kind, amount, balance, at, reversed, ...row }) => ({
    ...row,
    at: new Date(at),
    title: STATEMENT_WORDS[kind],
    amountMinor: Number(amount),
    balanceMinor: Number(balance),
    reversible: kind in REVERSIBLE && !reversed,
  }));
  return { items, next: rows.length > first ? (items.at(-1)?.id ?? null) : null };
}
