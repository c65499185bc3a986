import { inTransaction } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import { Invoice } from '../../invoices/entities/invoice.ts';
import { InvoiceSettlement } from '../../invoices/entities/invoice-settlement.ts';
import { Payment } from '../entities/payment.ts';
import { Refund } from '../entities/refund.ts';
import type { Context } from '../../../providers.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

/** Asks the processor to give back what was promised to a card; asked again it finds what it did. What the card cannot take becomes account credit. */
export async function sendRefund(ctx: Context, id: string): Promise<void> {
  const refund = await ctx.em.fork().findOne(Refund, { id, status: 'PENDING' });
  if (!refund) return;
  const { orderId, amountMinor, currency } = refund;
  const payment = await ctx.em.fork().findOneOrFail(Payment, { orderId, processor: 'card' });
  const state = await ctx.providers.cards.refund({ refundId: id, paymentId: payment.processorId, amountMinor });
  // Some banks take days: the sweep looks again.
  if (state.status === 'pending') return;
  const sent = state.status === 'sent';
  await inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const done = { status: sent ? ('DONE' as const) : ('CREDITED' as const), processorId: state.id ?? null, doneAt: now };
    if ((await tx.em.nativeUpdate(Refund, { id, status: 'PENDING' }, done)) !== 1) return;
    const { accountId } = await tx.em.findOneOrFail(Invoice, { id: refund.creditNoteId });
    await postJournal(tx, sent ? 'refund_sent' : 'refund_credited', {
      reference: id,
      currency,
      note: refund.reason,
      data: { accountId, amountMinor },
    });
    await tx.em.insert(InvoiceSettlement, {
      invoiceId: refund.creditNoteId,
      method: sent ? 'CARD' : 'CREDIT',
      reference: id,
      amountMinor,
      settledAt: now,
    });
  });
}

/** Refunds whose job was lost, and those that a bank has not decided on. */
export async function resumeRefunds(ctx: Context, olderThan: Date): Promise<void> {
  const waiting = everyRow((behind, limit) =>
    ctx.em.find(
      Refund,
      { id: { $gt: behind }, status: 'PENDING', createdAt: { $lt: olderThan } },
      { orderBy: { id: 'asc' }, limit, fields: ['id'] },
    ),
  );
  for await (const { id } of waiting) await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id }, { key: id });
}
