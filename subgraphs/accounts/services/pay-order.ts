import { newId } from '#shared/ids.ts';
import { formatMoney } from '#shared/money.ts';
import { PROCESSORS, type Processor } from '../domain/payment-method.ts';
import { Account } from '../entities/account.ts';
import type { Order } from '../entities/order.ts';
import { Payment } from '../entities/payment.ts';
import type { Context } from '../providers.ts';
import { invoiceOrder } from './issue-invoice.ts';
import { postMail } from './mails.ts';
import { announceOrder, moveOrder } from './orders.ts';
import { postJournal } from './post-journal.ts';

export interface TakenPayment {
  processor: Processor;
  /** The processor's id of it; the bank's reference. */
  processorId: string;
}

/**
 * Everything that an order's payment is, in the transaction of `ctx.em`, once: the order moved, the payment, its journal, its invoice, the announcement to the
 * seller, the mail. Without `payment` the account's credit has paid for all of it. The caller holds the order's lock; false when it was paid before.
 */
export async function payOrder(ctx: Context, order: Order, payment?: TakenPayment): Promise<boolean> {
  if (order.totalMinor > 0 && !payment) throw new Error(`order ${order.id} is not paid`);
  if (!moveOrder(order, 'paid')) return false;
  const now = ctx.clock.now();
  const { id, accountId, currency, subtotalMinor, taxMinor, creditMinor, totalMinor, title } = order;
  order.paidAt = now;
  const paymentId = newId('pay', ctx.clock);
  const { ledger, method } = PROCESSORS[payment?.processor ?? 'card'];
  if (payment && totalMinor > 0)
    await ctx.em.insert(Payment, { id: paymentId, orderId: id, ...payment, amountMinor: totalMinor, currency, paidAt: now });
  await postJournal(ctx, 'order_paid', {
    reference: id,
    currency,
    note: title,
    data: { accountId, subtotalMinor, taxMinor, creditMinor, into: ledger },
  });
  await invoiceOrder(ctx, order, [
    { method: 'CREDIT', reference: id, amountMinor: creditMinor },
    { method, reference: paymentId, amountMinor: totalMinor },
  ]);
  await announceOrder(ctx, order, 'order.paid', { seller: order.seller, fulfil: order.fulfil, title });
  const account = await ctx.em.findOneOrFail(Account, { id: accountId });
  if (account.email)
    await postMail(ctx, account.email, 'order_paid', {
      title,
      total: formatMoney({ amountMinor: totalMinor + creditMinor, currency }),
      url: `${ctx.providers.publicUrl}/orders/${id}`,
    });
  return true;
}
