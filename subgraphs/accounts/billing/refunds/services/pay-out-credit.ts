// Pays account credit out to the charges it came from. One transaction decides and writes the journals; processors are asked after the commit, and
// what no processor returns waits for a person. Each charge gets a row of `refund`.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { CURRENCY, formatMoney, sumOfAmounts } from '#commerce/money.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { accountWithId, openAccount } from '../../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { type Refund, insertRefund, partsOfPayOut } from '../entities/refund.ts';
import { methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { countGift } from '../../ledger/services/staff-gifts.ts';
import { TEXT_MAX } from '../../../../../schema/limits.ts';
import { type PayablePart, payableCredit } from './credit-payable.ts';

export interface PayOutInput {
  accountId: string;
  /** In minor units; absent: all that can be paid out in this way. */
  amountMinor?: number | null;
  /** Where a person sends what no processor returns, such as an IBAN; absent: only what processors return is paid out. */
  payTo?: string | null;
  /** The customer reads it in the statement. */
  reason: string;
}

/** The parts of a pay-out with their destinations. */
export interface CreditPayOut {
  id: string;
  amountMinor: number;
  currency: string;
  parts: PayablePart[];
}

/** The rules for the input of every pay-out. Errors: parameter_invalid. */
export function checkPayOut({ amountMinor, payTo, reason }: Omit<PayOutInput, 'accountId'>): { payTo: string | null; reason: string } {
  const where = payTo?.trim() ?? '';
  if (where.length > TEXT_MAX.payTo)
    throw fail('parameter_invalid', { field: 'payTo', reason: because('pay_to_length', { max: TEXT_MAX.payTo }) });
  if (typeof amountMinor === 'number' && amountMinor < 1)
    throw fail('parameter_invalid', { field: 'amountMinor', reason: because('amount_not_positive') });
  return { payTo: where === '' ? null : where, reason: checkReason(reason) };
}

/**
 * Pays credit out for support; returns the parts. Errors: account_not_found, own_account_refused, staff_limit_reached, second_person_needed,
 * parameter_invalid, idempotency_conflict, idempotency_in_flight.
 */
export function payOutCredit(
  ctx: SubscriptionsContext,
  { idempotencyKey, ...input }: PayOutInput & { idempotencyKey: string },
): Promise<CreditPayOut> {
  const checked = { ...input, ...checkPayOut(input) };
  const { accountId } = input;
  return once(ctx, { operation: 'supportCreditPayOut', key: idempotencyKey, request: input }, (effect) =>
    inTransaction(ctx, async (tx) => {
      if (!(await accountWithId(tx.em, accountId))) throw fail('account_not_found');
      const paidOut = await payOutNow(tx, `pout_${effect}`, checked);
      const { amountMinor } = paidOut;
      await countGift(tx, { accountId, amountMinor, currency: CURRENCY });
      if (amountMinor > tx.providers.staffGrantLimitMinor) throw fail('second_person_needed', { field: 'amountMinor' });
      return paidOut;
    }),
  );
}

/** In the transaction of `ctx.em`, under the lock of the account; the same `id` pays out once. Errors: parameter_invalid. */
export async function payOutNow(
  ctx: SubscriptionsContext,
  id: string,
  { accountId, amountMinor, payTo, reason }: PayOutInput,
): Promise<CreditPayOut> {
  await lockCreditOfAccount(ctx.em, accountId, CURRENCY);
  const repeated = await partsOfPayOut(ctx.em, accountId, id);
  if (repeated.length > 0) return answerOf(id, repeated.map(toPart));
  const parts = (await payableCredit(ctx, accountId)).filter(({ byHand }) => !byHand || Boolean(payTo));
  const maxMinor = sumOfAmounts(parts);
  const wantedMinor = amountMinor ?? maxMinor;
  if (wantedMinor < 1 || wantedMinor > maxMinor)
    throw fail('parameter_invalid', {
      field: 'amountMinor',
      reason: because('pay_out_limited', { max: formatMoney({ amountMinor: maxMinor, currency: CURRENCY }) }),
    });
  const paid = upTo(parts, wantedMinor);
  for (const [index, part] of paid.entries())
    await payOutPart(ctx, `${id}_${String(index).padStart(3, '0')}`, part, {
      accountId,
      payTo: part.byHand ? (payTo ?? null) : null,
      reason,
    });
  await record(ctx, { type: 'credit.paid_out', accountId, subject: id, data: { amountMinor: wantedMinor, currency: CURRENCY, reason } });
  await notifyOwner(ctx, accountId, paid, reason);
  return answerOf(id, paid);
}

const answerOf = (id: string, parts: PayablePart[]): CreditPayOut => ({ id, amountMinor: sumOfAmounts(parts), currency: CURRENCY, parts });

const toPart = ({ chargeId, orderId, destination, payTo, amountMinor }: Refund): PayablePart => ({
  chargeId: chargeId ?? '',
  orderId: orderId ?? null,
  destination,
  byHand: Boolean(payTo),
  amountMinor,
});

/** The first parts up to the amount; the last of them is cut. */
function upTo(parts: readonly PayablePart[], amountMinor: number): PayablePart[] {
  const paid: PayablePart[] = [];
  let open = amountMinor;
  for (const part of parts) {
    if (open === 0) break;
    const minor = Math.min(open, part.amountMinor);
    paid.push({ ...part, amountMinor: minor });
    open -= minor;
  }
  return paid;
}

async function payOutPart(
  ctx: SubscriptionsContext,
  id: string,
  { chargeId, orderId, destination, amountMinor }: PayablePart,
  { accountId, payTo, reason }: { accountId: string; payTo: string | null; reason: string },
): Promise<void> {
  const currency = CURRENCY;
  await postJournal(ctx, 'credit_paid_out', { reference: id, currency, note: reason, data: { accountId, amountMinor } });
  await insertRefund(ctx.em, {
    id,
    kind: 'PAY_OUT',
    orderId,
    creditNoteId: null,
    accountId,
    chargeId,
    payTo,
    destination,
    amountMinor,
    taxMinor: 0,
    currency,
    reason,
    status: 'PENDING',
    processorId: null,
    createdAt: ctx.clock.now(),
    doneAt: null,
  });
  if (payTo === null) await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id });
}

async function notifyOwner(ctx: SubscriptionsContext, accountId: string, paid: readonly PayablePart[], reason: string): Promise<void> {
  const { email } = (await accountWithId(ctx.em, accountId)) ?? {};
  if (!email) return;
  const inWords = (amountMinor: number) => formatMoney({ amountMinor, currency: CURRENCY });
  const parts = paid.map(({ destination, amountMinor }) => ({ to: methodOf(destination).paidOutTo, amount: inWords(amountMinor) }));
  await postMail(ctx, email, 'credit_paid_out', { amount: inWords(sumOfAmounts(paid)), parts, reason });
}

/** The reason in the statement of a closed account. */
const CLOSED = 'The account was closed';

/**
 * Pays out the credit of an account that is closing or closed: processors are asked at once, and what only a person can pay out is reported to
 * the desk. In the transaction of `ctx.em`.
 */
export async function payOutClosed(ctx: SubscriptionsContext, accountId: string): Promise<void> {
  await lockCreditOfAccount(ctx.em, accountId, CURRENCY);
  const parts = await payableCredit(ctx, accountId);
  const byHandMinor = sumOfAmounts(parts.filter(({ byHand }) => byHand));
  if (sumOfAmounts(parts) > byHandMinor) await payOutNow(ctx, newId('pout', ctx.clock), { accountId, reason: CLOSED });
  if (byHandMinor > 0) await notifyDesk(ctx, accountId, byHandMinor);
}

/** Credit that came after its account was closed. Safe to repeat. */
export const payOutIfClosed = (ctx: SubscriptionsContext, accountId: string): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    if (!(await openAccount(tx.em, accountId))) await payOutClosed(tx, accountId);
  });

async function notifyDesk(ctx: SubscriptionsContext, accountId: string, amountMinor: number): Promise<void> {
  const { supportEmail, publicUrl } = ctx.providers;
  const amount = formatMoney({ amountMinor, currency: CURRENCY });
  await postMail(ctx, supportEmail, 'credit_waits', { amount, account: accountId, url: `${publicUrl}/support/accounts/${accountId}` });
}
