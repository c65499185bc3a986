// Requests for what one member of support may not give or pay out alone (more than STAFF_GRANT_LIMIT at once, or to the own account): one asks, and another one
// decides.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { formatMoney } from '#commerce/money.ts';
import { type ApprovalDecision, approvalEnds, deciderOf } from '#commerce/second-person.ts';
import { accountWithId } from '../../../identity/entities/account.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { askSecondPerson } from '../../../identity/services/second-person.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type CreditRequest, type CreditRequestKind, insertCreditRequest, lockCreditRequest } from '../entities/credit-request.ts';
import { checkPayOut, payOutNow } from '../../refunds/services/pay-out-credit.ts';
import { type GrantCreditInput, checkGrant } from '../../ledger/services/grant-credit.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

export interface RequestCreditInput extends Omit<GrantCreditInput, 'idempotencyKey'> {
  /** Absent: GRANT. */
  kind?: CreditRequestKind | null;
  /** For PAY_OUT: where a person sends what no processor can give back. */
  payTo?: string | null;
}

/** Errors: account_not_found, parameter_invalid. */
export function requestCredit(ctx: SubscriptionsContext, input: RequestCreditInput): Promise<CreditRequest> {
  const kind = input.kind ?? 'GRANT';
  const note = checkGrant(input);
  const payTo = kind === 'PAY_OUT' ? checkPayOut(input).payTo : null;
  const { accountId, amountMinor, currency } = input;
  return inTransaction(ctx, async (tx) => {
    if (!(await accountWithId(tx.em, accountId))) throw fail('account_not_found');
    const now = tx.clock.now();
    const row = {
      kind,
      accountId,
      amountMinor,
      currency,
      note,
      payTo,
      askedBy: accountOf(tx),
      askedAt: now,
      expiresAt: approvalEnds(now),
    };
    const request = await insertCreditRequest(tx.em, { id: newId('crdt', tx.clock), ...row });
    await announce(tx, request, 'credit.requested');
    const what = `${kind === 'GRANT' ? 'Credit' : 'A pay-out'} of ${formatMoney({ amountMinor, currency })}`;
    await askSecondPerson(tx, { permission: 'credit', askedBy: request.askedBy, accountId, what, until: request.expiresAt });
    return request;
  });
}

/**
 * Approves a request: the credit is given or paid out. Errors: request_not_found, own_account_refused, action_not_allowed (asked by oneself, or answered
 * already), parameter_invalid (so much cannot be paid out any more).
 */
export const approveCredit = (ctx: SubscriptionsContext, id: string): Promise<CreditRequest> =>
  decide(ctx, id, 'APPROVED', async (tx, request) => {
    const { accountId, amountMinor, currency, note, id: reference } = request;
    refuseOwnAccount(tx, accountId);
    if (request.kind === 'PAY_OUT')
      return void (await payOutNow(tx, `pout_${reference}`, { accountId, amountMinor, payTo: request.payTo, reason: note }));
    await lockCreditOfAccount(tx.em, accountId, currency);
    await postJournal(tx, 'credit_granted', { reference, currency, note, data: { accountId, amountMinor } });
    await announce(tx, request, 'credit.granted');
  });

/** Errors: request_not_found, action_not_allowed (asked by oneself, or answered already). */
export const declineCredit = (ctx: SubscriptionsContext, id: string): Promise<CreditRequest> =>
  decide(ctx, id, 'DECLINED', (tx, request) => announce(tx, request, 'credit.declined'));

const announce = (
  ctx: SubscriptionsContext,
  { id: subject, kind, accountId, amountMinor, currency, note }: CreditRequest,
  type: 'credit.requested' | 'credit.granted' | 'credit.declined',
) =>
  record(ctx, {
    type,
    accountId,
    subject,
    actor: 'SUPPORT',
    data: { amountMinor, currency, reason: note, ...(kind === 'PAY_OUT' && { kind }) },
  });

/** Decides a request, once, by another member of staff than the one who asked. */
function decide(
  ctx: SubscriptionsContext,
  id: string,
  decision: ApprovalDecision,
  work: (tx: SubscriptionsContext, request: CreditRequest) => Promise<void>,
): Promise<CreditRequest> {
  return inTransaction(ctx, async (tx) => {
    const reasons = { decided: because('credit_decided'), own: because('credit_asked_by_you') };
    const { request, ...by } = deciderOf(tx, await lockCreditRequest(tx.em, id), reasons);
    await work(tx, request);
    Object.assign(request, { ...by, decision });
    return request;
  });
}
