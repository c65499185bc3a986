// The endings of a promised refund or pay-out, each at most once and with its journal entry. Callers hold the locks of its account and order.
import { newId } from '#platform/ids.ts';
import { divideHalfUp, formatMoney, sumOfAmounts } from '#commerce/money.ts';
import type { EntityManager } from '#platform/database.ts';
import { existingInvoice } from '../../invoices/entities/invoice.ts';
import { insertSettlements, settlementsOf } from '../../invoices/entities/invoice-settlement.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { existingOrder } from '../../orders/entities/order.ts';
import { toCharge, toChargeId } from '../../payments/domain/charge.ts';
import { type Payment, paymentBy, paymentsOfOrder, presentPayment } from '../../payments/entities/payment.ts';
import { type Refund, insertRefund, lowerRefund, moveRefund, payOutsTo, presentRefund, refundsTo } from '../entities/refund.ts';
import { CREDIT, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail, postToOwner } from '../../../mail/services/mails.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

export type Ending =
  | { to: 'DONE'; processorId?: string }
  | { to: 'CREDITED'; processorId?: string }
  /** `sentBack`: the money has certainly come back to us. */
  | { to: 'FAILED'; failure: string; sentBack?: boolean; processorId?: string }
  | { to: 'NOT_OWED'; againstLoss?: boolean };

/** The account whose money it is. */
export async function ownerOf(ctx: SubscriptionsContext, { accountId, orderId }: Pick<Refund, 'accountId' | 'orderId'>): Promise<string> {
  if (accountId) return accountId;
  if (!orderId) throw new Error('a refund of nothing');
  return (await existingOrder(ctx.em, orderId)).accountId;
}

/** Ends a refund from the status that the caller has read; false: another call was first. */
export async function endAs(ctx: SubscriptionsContext, refund: Refund, ending: Ending): Promise<boolean> {
  const { id, status, currency, amountMinor, destination, creditNoteId, reason: note } = refund;
  const now = ctx.clock.now();
  const processorId = ('processorId' in ending ? ending.processorId : undefined) ?? refund.processorId ?? null;
  const failure = ending.to === 'FAILED' ? ending.failure.slice(0, 500) : null;
  const doneAt = ending.to === 'FAILED' ? null : now;
  const againstLoss = 'againstLoss' in ending && ending.againstLoss === true;
  if (!(await moveRefund(ctx.em, { id, status }, { status: ending.to, processorId, doneAt, failure, againstLoss }))) return false;
  const accountId = await ownerOf(ctx, refund);
  const { ledger: from } = methodOf(destination);
  const reference = referenceOf(refund);
  const data = { accountId, amountMinor, from };
  // When a refund comes back, the credit note still says how it was settled at first.
  const settle = async (method: Refund['destination']) => {
    if (!creditNoteId) return;
    const { totalMinor } = await existingInvoice(ctx.em, creditNoteId);
    const settledMinor = sumOfAmounts(await settlementsOf(ctx.em, creditNoteId));
    if (settledMinor + amountMinor > totalMinor) return;
    await insertSettlements(ctx.em, [{ invoiceId: creditNoteId, method, reference: id, amountMinor, shortMinor: 0, settledAt: now }]);
  };
  if (ending.to === 'DONE') {
    await postJournal(ctx, 'refund_sent', { reference, currency, note, data });
    await settle(destination);
  } else if (ending.to === 'CREDITED') {
    await lockCreditOfAccount(ctx.em, accountId, currency);
    if (status === 'DONE') await postJournal(ctx, 'refund_returned', { reference, currency, note, data });
    await postJournal(ctx, 'refund_credited', { reference, currency, note, data });
    await settle(CREDIT);
    if (refund.kind === 'PAY_OUT') await notifyOwner(ctx, refund, accountId);
  } else if (ending.to === 'NOT_OWED') {
    await postJournal(ctx, 'refund_not_owed', { reference, currency, note, data });
    await settle(destination);
  } else {
    if (status === 'DONE') await postJournal(ctx, 'refund_returned', { reference, currency, note, data });
    if (!(await endAgainstLoss(ctx, await presentRefund(ctx.em, id)))) await notifyDesk(ctx, refund, failure ?? '');
  }
  return true;
}

/** Tells the owner that a pay-out has become credit again. */
async function notifyOwner(ctx: SubscriptionsContext, { id, amountMinor, currency, reason }: Refund, accountId: string): Promise<void> {
  await record(ctx, { type: 'credit.pay_out_returned', accountId, subject: id, data: { amountMinor, currency, reason } });
  const amount = formatMoney({ amountMinor, currency });
  await postToOwner(ctx, accountId, 'pay_out_returned', { amount, url: `${ctx.providers.publicUrl}/billing?tab=credit` });
}

/** The ledger reference of the present attempt: each failed attempt has its own posting. */
const referenceOf = ({ id, attempt }: Refund): string => (attempt > 0 ? `${id}:${attempt}` : id);

/**
 * Ends a refund that did not arrive, as far as its payer has got more of the payment than the invoice covers. False: all of it, or a rest, is still owed.
 */
export async function endAgainstLoss(ctx: SubscriptionsContext, refund: Refund): Promise<boolean> {
  const { destination, amountMinor } = refund;
  const paid = await paymentOf(ctx.em, refund);
  // Coins and transfers that belong to no order cannot be lost.
  if (!paid) return false;
  const payment = await presentPayment(ctx.em, paid.id);
  const ended = (await promisedOf(ctx.em, payment, destination)).filter(({ status }) => status === 'NOT_OWED');
  const coveredMinor = payment.lostMinor - sumOfAmounts(ended);
  if (coveredMinor <= 0) return false;
  if (amountMinor <= coveredMinor) return endAs(ctx, refund, { to: 'NOT_OWED', againstLoss: true });
  const part = {
    amountMinor: coveredMinor,
    taxMinor: Number(divideHalfUp(BigInt(coveredMinor) * BigInt(refund.taxMinor), BigInt(amountMinor))),
  };
  await lowerRefund(ctx.em, refund.id, { amountMinor: amountMinor - part.amountMinor, taxMinor: refund.taxMinor - part.taxMinor });
  const { kind, accountId, chargeId, orderId, creditNoteId, currency, reason, createdAt } = refund;
  const id = newId(kind === 'PAY_OUT' ? 'pout' : 'rfnd', ctx.clock);
  const whose = { kind, accountId, chargeId, orderId, creditNoteId };
  const failed = {
    id,
    ...whose,
    destination,
    ...part,
    currency,
    reason,
    status: 'FAILED' as const,
    processorId: null,
    createdAt,
    doneAt: null,
  };
  await endAs(ctx, await insertRefund(ctx.em, failed), { to: 'NOT_OWED', againstLoss: true });
  return false;
}

/** The payment that a refund is returned to. */
async function paymentOf(em: EntityManager, { orderId, chargeId, destination }: Refund): Promise<Payment | undefined> {
  const { processor } = methodOf(destination);
  if (orderId) return (await paymentsOfOrder(em, orderId)).find((payment) => payment.processor === processor);
  return (chargeId && (await paymentBy(em, toCharge(chargeId)))) || undefined;
}

/** The refunds promised to a payment; for a payment that became credit, the pay-outs to it. */
export const promisedOf = (em: EntityManager, payment: Payment, destination: Refund['destination']): Promise<Refund[]> =>
  payment.credited ? payOutsTo(em, toChargeId(payment)) : refundsTo(em, payment.orderId, destination);

/** Makes a refund owed again, since its payer has returned the money that was lost. A person decides how it is sent. */
export async function oweAgain(ctx: SubscriptionsContext, refund: Refund): Promise<void> {
  const { id, status, attempt, currency, amountMinor, reason: note } = refund;
  const failure = "The payer's bank has given back what it had kept.";
  const again = { status: 'FAILED', attempt: attempt + 1, failure, doneAt: null, againstLoss: false } as const;
  if (!(await moveRefund(ctx.em, { id, status }, again))) return;
  const accountId = await ownerOf(ctx, refund);
  await postJournal(ctx, 'refund_owed_again', { reference: referenceOf(refund), currency, note, data: { accountId, amountMinor } });
  await notifyDesk(ctx, refund, failure);
}

async function notifyDesk(ctx: SubscriptionsContext, { amountMinor, currency }: Refund, why: string): Promise<void> {
  const { supportEmail, publicUrl } = ctx.providers;
  const amount = formatMoney({ amountMinor, currency });
  await postMail(ctx, supportEmail, 'refund_failed', { amount, why, url: `${publicUrl}/support/disputes` });
}
