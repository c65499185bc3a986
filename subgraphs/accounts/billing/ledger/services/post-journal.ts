import { newId } from '#platform/ids.ts';
import { POSTINGS, type Entry, type PostingData, type PostingKind } from '../domain/ledger.ts';
import { insertJournalOnce } from '../entities/journal.ts';
import { insertEntries } from '../entities/ledger-entry.ts';
import type { LedgerContext } from '../context.ts';

export interface Posting<Kind extends PostingKind> {
  /** The id of what is posted: of one thing each kind is posted once. */
  reference: string;
  currency: string;
  /** What a person reads beside it. */
  note: string;
  data: PostingData<Kind>;
}

/**
 * Writes a journal in the transaction of `ctx.em`, with the change that it is about. False when it stands in the books already. Whatever gives a customer
 * credit pays what the customer owes, once it is committed.
 */
export async function postJournal<Kind extends PostingKind>(
  ctx: LedgerContext,
  kind: Kind,
  { reference, currency, note, data }: Posting<Kind>,
): Promise<boolean> {
  const entries = (POSTINGS[kind] as (data: PostingData<Kind>) => Entry[])(data).filter(({ amountMinor }) => amountMinor !== 0);
  if (entries.length === 0) return false;
  const id = newId('jrn', ctx.clock);
  const { accountId } = data as { accountId: string | null };
  if (!(await insertJournalOnce(ctx.em, { id, kind, reference, accountId, note, postedAt: ctx.clock.now() }))) return false;
  await insertEntries(
    ctx.em,
    entries.map((entry, line) => ({ journalId: id, line, currency, ...entry })),
  );
  // Each has a job of its own: one that waits already may run before this is committed.
  if (accountId && entries.some(({ ledger, amountMinor }) => ledger === 'CUSTOMER_CREDIT' && amountMinor < 0))
    await ctx.jobs.enqueue(ctx.em, 'accounts.credit-spend', { accountId });
  return true;
}
