// A grant that was wrong, or a transfer that was mistyped, is taken back: a journal of its own that names the one it reverses. Once: the books hold
// one reversal of each. A balance is never below zero: what is spent already stays with the customer.
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { checkReason } from '#commerce/support-reason.ts';
import type { LedgerContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { REVERSIBLE } from '../domain/ledger.ts';
import { lockCreditOfAccount } from '../entities/credit-balance.ts';
import { journalWithId } from '../entities/journal.ts';
import { creditEntryOf } from '../entities/ledger-entry.ts';
import { postJournal } from './post-journal.ts';

export interface ReverseCreditInput {
  /** The line of the statement. */
  lineId: string;
  /** Takes what is left where some of it is spent already; otherwise that is refused. */
  whatIsLeft?: boolean | null;
  /** The customer reads it in the statement. */
  reason: string;
}

/** Answers the new balance. Errors: credit_line_not_found, own_account_refused, parameter_invalid, action_not_allowed. */
export function reverseCredit(
  ctx: LedgerContext,
  { lineId, whatIsLeft, reason }: ReverseCreditInput,
): Promise<{ amountMinor: number; currency: string }> {
  const note = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const journal = await journalWithId(tx.em, lineId);
    const entry = journal && (await creditEntryOf(tx.em, lineId));
    const accountId = entry?.accountId;
    if (!journal || !accountId) throw fail('credit_line_not_found');
    refuseOwnAccount(tx, accountId);
    const into = REVERSIBLE[journal.kind];
    if (!into) throw fail('action_not_allowed', { reason: because('credit_line_fixed') });
    const { currency } = entry;
    const given = -entry.amountMinor;
    const balance = await lockCreditOfAccount(tx.em, accountId, currency);
    if (balance < given && !whatIsLeft)
      throw fail('action_not_allowed', { reason: because('credit_spent', { left: formatMoney({ amountMinor: balance, currency }) }) });
    const amountMinor = Math.min(given, balance);
    if (!(await postJournal(tx, 'credit_reversed', { reference: lineId, currency, note, data: { accountId, amountMinor, into } })))
      throw fail('action_not_allowed', { reason: because(amountMinor === 0 ? 'credit_all_spent' : 'credit_reversed_already') });
    await record(tx, { type: 'credit.reversed', accountId, subject: lineId, data: { amountMinor, currency, reason: note } });
    const amount = formatMoney({ amountMinor, currency });
    await postToOwner(tx, accountId, 'credit_reversed', { amount, reason: note, url: `${tx.providers.publicUrl}/billing?tab=credit` });
    return { amountMinor: balance - amountMinor, currency };
  });
}
