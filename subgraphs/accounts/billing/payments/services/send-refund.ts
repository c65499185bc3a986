import { inTransaction } from '#platform/database.ts';
import { existingInvoice } from '../../invoices/entities/invoice.ts';
import { insertSettlements } from '../../invoices/entities/invoice-settlement.ts';
import { existingPayment } from '../entities/payment.ts';
import { endRefund, pendingRefund, pendingRefunds } from '../entities/refund.ts';
import { CREDIT, methodOf, processorOf } from '../providers/payment-methods.ts';
import type { Context } from '../../../context.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

/**
 * Asks the processor to give back what was promised to where it came from; asked again it finds what it did. What cannot go there becomes account
 * credit.
 */
export async function sendRefund(ctx: Context, id: string): Promise<void> {
  const refund = await pendingRefund(ctx.em.fork(), id);
  if (!refund) return;
  const { orderId, amountMinor, currency, destination } = refund;
  const { processor, ledger: from } = methodOf(destination);
  const payment = await existingPayment(ctx.em.fork(), orderId, processor);
  const state = await processorOf(ctx.providers, destination).refund({ refundId: id, paymentId: payment.processorId, amountMinor });
  // Some banks take days: the sweep looks again.
  if (state.status === 'pending') return;
  const sent = state.status === 'sent';
  await inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    if (!(await endRefund(tx.em, id, { status: sent ? 'DONE' : 'CREDITED', processorId: state.id ?? null, doneAt: now }))) return;
    const { accountId } = await existingInvoice(tx.em, refund.creditNoteId);
    await postJournal(tx, sent ? 'refund_sent' : 'refund_credited', {
      reference: id,
      currency,
      note: refund.reason,
      data: { accountId, amountMinor, from },
    });
    const method = sent ? destination : CREDIT;
    await insertSettlements(tx.em, [{ invoiceId: refund.creditNoteId, method, reference: id, amountMinor, settledAt: now }]);
  });
}

/** Refunds whose job was lost, and those that a bank has not decided on. */
export async function resumeRefunds(ctx: Context, olderThan: Date): Promise<void> {
  for await (const { id } of pendingRefunds(ctx.em, olderThan)) await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id }, { key: id });
}
