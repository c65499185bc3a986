import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { creditOfAccount, lockCreditOfAccount } from '../entities/credit-balance.ts';
import { accountWithId } from '../../../identity/entities/account.ts';
import type { Context } from '../../../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { once } from '../../orders/services/idempotency.ts';
import { postJournal } from './post-journal.ts';
import { countGift } from './staff-gifts.ts';

/** Spec is silent: what support may give at once, in minor units; more is a typing error. */
const MAX_MINOR = 1_000_000;
export const MAX_REASON_LENGTH = 200;

export interface GrantCreditInput {
  accountId: string;
  amountMinor: number;
  currency: string;
  /** The customer reads it in the statement. */
  reason: string;
  idempotencyKey: string;
}

/** The reason of an act of support, which the customer reads. Errors: parameter_invalid. */
export function checkReason(reason: string): string {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON_LENGTH)
    throw fail('parameter_invalid', { field: 'reason', reason: because('note_length', { max: MAX_REASON_LENGTH }) });
  return text;
}

/**
 * Support gives an account credit. Answers the new balance. Errors: account_not_found, own_account_refused, staff_limit_reached, parameter_invalid,
 * idempotency_conflict, idempotency_in_flight.
 */
export function grantCredit(
  ctx: Context,
  { idempotencyKey, ...input }: GrantCreditInput,
): Promise<{ amountMinor: number; currency: string }> {
  const { accountId, amountMinor, currency } = input;
  const note = checkReason(input.reason);
  if (amountMinor < 1 || amountMinor > MAX_MINOR)
    throw fail('parameter_invalid', { field: 'amountMinor', reason: because('credit_amount', { max: MAX_MINOR }) });
  if (currency !== 'USD') throw fail('parameter_invalid', { field: 'currency', allowed: ['USD'], reason: because('currency_not_sold') });
  return once(ctx, { operation: 'supportCreditGrant', key: idempotencyKey, request: input }, (effect) =>
    inTransaction(ctx, async (tx) => {
      if (!(await accountWithId(tx.em, accountId))) throw fail('account_not_found');
      await lockCreditOfAccount(tx.em, accountId, currency);
      await countGift(tx, { accountId, amountMinor, currency });
      const reference = `crdt_${effect}`;
      if (await postJournal(tx, 'credit_granted', { reference, currency, note, data: { accountId, amountMinor } }))
        await record(tx, { type: 'credit.granted', accountId, subject: reference, data: { amountMinor, currency, reason: note } });
      return { amountMinor: await creditOfAccount(tx.em, accountId, currency), currency };
    }),
  );
}
