// Books a dispute as a loss when the payer's bank keeps the money, and undoes that when the money comes back after all.
import { divideHalfUp, formatMoney } from '#commerce/money.ts';
import type { EntityManager } from '#platform/database.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import type { Dispute } from '../entities/dispute.ts';
import type { DisputesContext } from '../context.ts';
import { issueNote } from '../../invoices/services/issue-invoice.ts';
import { renewInvoice } from '../../invoices/services/renew-invoice.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import { isPosted, postedTo } from '../../ledger/entities/journal.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import type { PaidOrder } from '../../refunds/services/apply-refunds.ts';
import { noteLoss } from '../../refunds/services/note-loss.ts';
import { coverOf, leftOfOrder } from '../../refunds/services/refund-order.ts';

/**
 * Books the loss when the payer's bank keeps the money: a credit note undoes the sale as far as its invoice covers it, and what was refunded before is a loss.
 * Once, in the transaction of `ctx.em`, which holds the order's lock.
 */
export async function bookLoss(
  ctx: DisputesContext,
  method: MethodDefinition,
  { order, payment }: PaidOrder,
  dispute: Dispute,
): Promise<void> {
  const { accountId, currency, withdrawnMinor } = dispute;
  const { reference, isBooked } = await lastLoss(ctx.em, dispute);
  if (withdrawnMinor <= 0 || isBooked) return;
  const note = `Kept by the payer's bank: ${formatMoney({ amountMinor: withdrawnMinor, currency })}`;
  const money = { amountMinor: withdrawnMinor, currency };
  const { covered, coveredMinor: amountMinor, taxMinor, creditMinor, lostMinor } = await coverOf(ctx, payment, accountId, money);
  const data = { accountId, amountMinor, taxMinor, creditMinor, lostMinor };
  await postJournal(ctx, 'dispute_lost', { reference, currency, note, data });
  if (covered)
    await issueNote(ctx, { ...covered, label: `Disputed: ${order.title}`, note }, [{ method: method.name, reference, amountMinor }]);
  await noteLoss(ctx, method.name, payment, lostMinor);
}

/**
 * Undoes a loss that was won after all, for example by an appeal, as far as the money has come back: a new invoice replaces the one that the loss had
 * corrected. Does nothing when no loss is booked. The locks are those of `bookLoss`.
 */
export async function bookLossBack(
  ctx: DisputesContext,
  method: MethodDefinition,
  { order, payment }: PaidOrder,
  dispute: Dispute,
): Promise<void> {
  const { accountId, currency, withdrawnMinor } = dispute;
  const { reference, isBooked } = await lastLoss(ctx.em, dispute);
  if (!isBooked) return;
  const posted = (ledger: Ledger) => postedTo(ctx.em, 'dispute_lost', reference, ledger);
  const [whole, beyond, tax, taken] = [
    await posted('DISPUTED'),
    await posted('LOSSES'),
    await posted('TAX'),
    await posted('CUSTOMER_CREDIT'),
  ];
  const backMinor = whole - Math.max(0, withdrawnMinor);
  if (backMinor <= 0) return;
  const sold = whole - beyond - taken;
  const amountMinor = Math.min(backMinor, sold);
  const taxMinor = amountMinor === 0 ? 0 : Number(divideHalfUp(BigInt(amountMinor) * BigInt(tax), BigInt(sold)));
  const note = `Given back by the payer's bank: ${formatMoney({ amountMinor: backMinor, currency })}`;
  const creditMinor = Math.min(backMinor - amountMinor, taken);
  const lostMinor = backMinor - amountMinor - creditMinor;
  const data = { accountId, amountMinor, taxMinor, creditMinor, lostMinor };
  await postJournal(ctx, 'dispute_recovered', { reference, currency, note, data });
  await noteLoss(ctx, method.name, payment, -lostMinor);
  const open = amountMinor > 0 ? await leftOfOrder(ctx, order.id) : undefined;
  if (open)
    await renewInvoice(ctx, open, note, {
      label: `Won: ${order.title}`,
      subtotalMinor: amountMinor - taxMinor,
      taxMinor,
      totalMinor: amountMinor,
    });
}

/** The reference of the last loss of a dispute in the books; when none is booked, the reference that the next one will have. */
async function lastLoss(em: EntityManager, { id }: Dispute): Promise<{ reference: string; isBooked: boolean }> {
  for (let before = 0; ; before++) {
    const reference = before === 0 ? id : `${id}:${before}`;
    if (!(await isPosted(em, 'dispute_lost', reference))) return { reference, isBooked: false };
    if (!(await isPosted(em, 'dispute_recovered', reference))) return { reference, isBooked: true };
  }
}
