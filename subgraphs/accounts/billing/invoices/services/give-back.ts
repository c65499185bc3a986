// What was paid before for what a change takes away: account credit, by credit notes on the invoices that it corrects. Rate, currency and bound are
// theirs: a customer who has moved to another country since gets back what was paid, with the tax that was paid. Sellers say the list price of what is
// taken away; where a coupon has paid a part of it, only the rest was paid and comes back.
import { divideHalfUp } from '#commerce/money.ts';
import { type Amounts, partOfSubtotal } from '../domain/invoice.ts';
import type { Invoice } from '../entities/invoice.ts';
import { type InvoiceLeft, invoicesInForce, leftOfInvoices, lockLeftOfInvoices } from '../entities/invoice.ts';
import type { Order } from '../../orders/entities/order.ts';
import { begunOrderIds, orderIdsOfSubscription, ordersWithIds } from '../../orders/entities/order.ts';
import { CREDIT } from '../../payments/providers/payment-methods.ts';
import type { TaxContext } from '../../tax/context.ts';
import { issueNote } from './issue-invoice.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

/** What is given back of one invoice. */
interface Correction {
  invoice: Invoice;
  part: Amounts;
}

/** An invoice, and what its order came to before and after its coupon. */
interface Bought extends InvoiceLeft {
  paidMinor: number;
  listMinor: number;
}

/** In minor units, before tax. */
interface Given {
  subscriptionId?: string | null;
  currency: string;
  grantMinor: number;
}

/** In the transaction of a change that grants credit, once, under the subscription's lock. No more than is left of what was paid. */
export async function giveBack(ctx: TaxContext, order: Order): Promise<void> {
  const { id, accountId, currency, title } = order;
  const corrections = correctionsOf(order.grantMinor, await boughtBy(ctx, await lockLeftOfInvoices(ctx.em, await correctable(ctx, order))));
  const { totalMinor: amountMinor, taxMinor } = sumOfParts(corrections);
  const posted = await postJournal(ctx, 'change_credited', {
    reference: id,
    currency,
    note: title,
    data: { accountId, amountMinor, taxMinor },
  });
  if (!posted) return;
  for (const { invoice, part } of corrections)
    await issueNote(ctx, { invoice, part, label: `Given back: ${title}`, note: title, orderId: id }, [
      { method: CREDIT, reference: id, amountMinor: part.totalMinor },
    ]);
}

/** What a change would give back now, with tax, in minor units. */
export async function previewGiveBack(ctx: TaxContext, given: Given): Promise<number> {
  if (given.grantMinor === 0) return 0;
  return sumOfParts(correctionsOf(given.grantMinor, await boughtBy(ctx, await leftOfInvoices(ctx.em, await correctable(ctx, given)))))
    .totalMinor;
}

/** The invoices of a subscription for time that is not over, newest first: of its period, and of what was added to it since. */
async function correctable({ em, clock }: TaxContext, { subscriptionId, currency, grantMinor }: Given): Promise<Invoice[]> {
  if (!subscriptionId || grantMinor === 0) return [];
  const now = clock.now();
  const orderIds = await orderIdsOfSubscription(em, subscriptionId);
  return invoicesInForce(em, { orderIds, begunIds: await begunOrderIds(em, subscriptionId, now), currency, now });
}

async function boughtBy({ em }: TaxContext, invoices: readonly InvoiceLeft[]): Promise<Bought[]> {
  const orders = await ordersWithIds(
    em,
    invoices.flatMap(({ invoice }) => invoice.orderId ?? []),
  );
  return invoices.map((one) => {
    const order = orders.find(({ id }) => id === one.invoice.orderId);
    const paidMinor = order?.subtotalMinor ?? one.invoice.subtotalMinor;
    return { ...one, paidMinor, listMinor: paidMinor + (order?.discountMinor ?? 0) };
  });
}

const partOf = (amountMinor: number, numerator: number, denominator: number): number =>
  Number(divideHalfUp(BigInt(amountMinor) * BigInt(numerator), BigInt(denominator)));

/** Splits what is given back, at list price before tax, over the invoices in their order, each to what is left of it. */
function correctionsOf(grantMinor: number, invoices: readonly Bought[]): Correction[] {
  const corrections: Correction[] = [];
  let open = grantMinor;
  for (const { invoice, left, paidMinor, listMinor } of invoices) {
    if (paidMinor <= 0) continue;
    const atList = Math.min(open, partOf(left.subtotalMinor, listMinor, paidMinor));
    const subtotalMinor = Math.min(left.subtotalMinor, partOf(atList, paidMinor, listMinor));
    if (subtotalMinor > 0) corrections.push({ invoice, part: partOfSubtotal(invoice, left, subtotalMinor) });
    open -= atList;
  }
  return corrections;
}

const sumOfParts = (corrections: readonly Correction[]) => ({
  taxMinor: corrections.reduce((sum, { part }) => sum + part.taxMinor, 0),
  totalMinor: corrections.reduce((sum, { part }) => sum + part.totalMinor, 0),
});
