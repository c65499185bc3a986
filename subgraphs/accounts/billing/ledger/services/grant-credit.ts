import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { CURRENCY } from '#commerce/money.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { creditOfAccount, lockCreditOfAccount } from '../entities/credit-balance.ts';
import { accountWithId } from '../../../identity/entities/account.ts';
import type { LedgerContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { postJournal } from './post-journal.ts';
import { countGift } from './staff-gifts.ts';

/** Spec is silent: what support may give at once, in minor units; more is a typing error. */
const MAX_MINOR = 1_000_000;

export interface GrantCreditInput {
  accountId: string;
  amountMinor: number;
  currency: string;
  /** The customer reads it in the statement. */
  reason: string;
  idempotencyKey: string;
}

/** The note of a grant that can be given at all. Errors: parameter_invalid. */
export function checkGrant({ amountMinor, currency, reason }: Pick<GrantCreditInput, 'amountMinor' | 'currency' | 'reason'>): string {
  const note = checkReason(reason);
  if (amountMinor < 1 || amountMinor > MAX_MINOR)
    throw fail('parameter_invalid', { field: 'amountMinor', reason: because('credit_amount', { max: MAX_MINOR }) });
  if (currency !== CURRENCY)
    throw fail('parameter_invalid', { field: 'currency', allowed: [CURRENCY], reason: because('currency_not_sold') });
  return note;
}

/**
 * Support gives an account credit. Answers the new balance. Errors: account_not_found, own_account_refused, staff_limit_reached, second_person_needed, parameter_invalid,
 * idempotency_conflict, idempotency_in_flight.
 */
export function grantCredit(
  ctx: LedgerContext,
  { idempotencyKey, ...input }: GrantCreditInput,
): Promise<{ amountMinor: number; currency: string }> {
  const { accountId, amountMinor, currency } = input;
  const note = checkGrant(input);
  return once(ctx, { operation: 'supportCreditGrant', key: idempotencyKey, request: input }, (effect) =>
    inTransaction(ctx, async (tx) => {
      if (!(await accountWithId(tx.em, accountId))) throw fail('account_not_found');
      await lockCreditOfAccount(tx.em, accountId, currency);
      const reference = `crdt_${effect}`;
      if (await postJournal(tx, 'credit_granted', { reference, currency, note, data: { accountId, amountMinor } }))
        await record(tx, { type: 'credit.granted', accountId, subject: reference, data: { amountMinor, currency, reason: note } });
      await countGift(tx, { accountId, amountMinor, currency });
      if (amountMinor > tx.providers.staffGrantLimitMinor) throw fail('second_person_needed', { field: 'amountMinor' });
      return { amountMinor: await creditOfAccount(tx.em, accountId, currency), currency };
    }),
  );
}
