// Issuing: an invoice for every paid order, a credit note for every refund, in the transaction that they belong to.
import { newId } from '#platform/ids.ts';
import { type Party, seriesOf } from '../domain/invoice.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { detailsOfAccount } from '../entities/billing-details.ts';
import { type Invoice, insertInvoice, nextNumber } from '../entities/invoice.ts';
import { type InvoiceSettlement, insertSettlements } from '../entities/invoice-settlement.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { Context } from '../../../context.ts';

export type Settlement = Pick<InvoiceSettlement, 'method' | 'reference' | 'amountMinor'>;

type Draft = Omit<Invoice, 'id' | 'series' | 'number' | 'seller' | 'buyer' | 'issuedAt'>;

/** Issues what `draft` says, with the seller and the buyer of this moment. Settlements of nothing are left out. */
export async function issue(ctx: Context, draft: Draft, settlements: readonly Settlement[]): Promise<Invoice> {
  const issuedAt = ctx.clock.now();
  const series = seriesOf(draft.kind, issuedAt);
  const buyer = await buyerOf(ctx, draft.accountId);
  const id = newId('inv', ctx.clock);
  const number = await nextNumber(ctx.em, series);
  const invoice = {
    ...draft,
    id,
    series,
    number,
    seller: ctx.providers.seller,
    buyer,
    issuedAt,
  };
  await insertInvoice(ctx.em, invoice);
  const rows = settlements.filter(({ amountMinor }) => amountMinor > 0).map((row) => ({ invoiceId: id, ...row, settledAt: issuedAt }));
  await insertSettlements(ctx.em, rows);
  return invoice as Invoice;
}

export interface Period {
  periodStart: Date;
  periodEnd: Date;
}

/** The invoice of an order, for its whole price; `settlements` say what has paid it, `period` for what time it is. */
export const invoiceOrder = (ctx: Context, order: Order, settlements: readonly Settlement[], period: Period | null): Promise<Invoice> =>
  issue(
    ctx,
    {
      kind: 'INVOICE',
      accountId: order.accountId,
      orderId: order.id,
      correctsId: null,
      note: order.title,
      ...(period ?? { periodStart: null, periodEnd: null }),
      lines: order.lines,
      currency: order.currency,
      subtotalMinor: order.subtotalMinor,
      taxBasisPoints: order.taxBasisPoints,
      taxMinor: order.taxMinor,
      totalMinor: order.subtotalMinor + order.taxMinor,
    },
    settlements,
  );

/** Without billing details the address of the account is all that is known of a buyer. */
async function buyerOf({ em }: Context, accountId: string): Promise<Party> {
  const email = (await existingAccount(em, accountId)).email ?? null;
  const details = await detailsOfAccount(em, accountId);
  if (!details) return { name: email ?? accountId, address: [], country: null, taxId: null, email };
  const { name, address, country, taxId } = details;
  return { name, address, country, taxId: taxId ?? null, email };
}
