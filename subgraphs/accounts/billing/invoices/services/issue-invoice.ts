// Issuing: an invoice for every paid order, a credit note for every refund, in the transaction that they belong to.
import { newId } from '#platform/ids.ts';
import { type Amounts, seriesOf } from '../domain/invoice.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { detailsOfAccount } from '../../tax/entities/billing-details.ts';
import { type Invoice, existingInvoice, insertInvoice, nextNumber } from '../entities/invoice.ts';
import { type InvoiceSettlement, insertSettlements } from '../entities/invoice-settlement.ts';
import type { Order } from '../../orders/entities/order.ts';
import { taxOfOrder } from '../../tax/entities/order-tax.ts';
import { localTaxOf } from '../../tax/services/local-tax.ts';
import { type Party, isElsewhere, taxedBuyer } from '../../tax/domain/taxed-buyer.ts';
import type { TaxContext } from '../../tax/context.ts';

export type Settlement = Pick<InvoiceSettlement, 'method' | 'reference' | 'amountMinor'> & Partial<Pick<InvoiceSettlement, 'shortMinor'>>;

type Draft = Omit<Invoice, 'id' | 'series' | 'number' | 'seller' | 'buyer' | 'issuedAt' | 'replacesId' | 'localTax' | 'language'> &
  Partial<Pick<Invoice, 'replacesId'>>;

/** Issues what `draft` says, with the seller and the buyer of this moment, as far as its tax fits them, in what the account reads now. Settlements of nothing are left out. */
export async function issue(ctx: TaxContext, draft: Draft, settlements: readonly Settlement[]): Promise<Invoice> {
  const issuedAt = ctx.clock.now();
  const series = seriesOf(draft.kind, issuedAt);
  const buyer = await buyerOf(ctx, draft);
  const before = draft.correctsId ?? draft.replacesId;
  const localTax = await localTaxOf(ctx, draft.taxMinor, before ? await existingInvoice(ctx.em, before) : null);
  const id = newId('inv', ctx.clock);
  const number = await nextNumber(ctx.em, series);
  const invoice = {
    replacesId: null,
    ...draft,
    id,
    series,
    number,
    seller: ctx.providers.seller,
    buyer,
    localTax,
    language: (await existingAccount(ctx.em, draft.accountId)).language,
    issuedAt,
  };
  await insertInvoice(ctx.em, invoice);
  const rows = settlements
    .filter(({ amountMinor }) => amountMinor > 0)
    .map((row) => ({ invoiceId: id, shortMinor: 0, ...row, settledAt: issuedAt }));
  await insertSettlements(ctx.em, rows);
  return invoice as Invoice;
}

export interface Period {
  periodStart: Date;
  periodEnd: Date;
}

/** The invoice of an order, for its whole price; `settlements` say what has paid it, `period` for what time it is. */
export async function invoiceOrder(
  ctx: TaxContext,
  order: Order,
  settlements: readonly Settlement[],
  period: Period | null,
): Promise<Invoice> {
  const taxed = await taxOfOrder(ctx.em, order.id);
  return issue(
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
      reverseCharge: taxed?.reverseCharge ?? false,
    },
    settlements,
  );
}

interface Note {
  invoice: Invoice;
  /** What is given back of it. */
  part: Amounts;
  label: string;
  note: string;
  /** For which it is given back; absent: that of the invoice. */
  orderId?: string;
}

/** A part of an invoice that is given back: a credit note at its rate and in its currency, with one line. */
export const issueNote = (
  ctx: TaxContext,
  { invoice, part, label, note, orderId }: Note,
  settlements: readonly Settlement[],
): Promise<Invoice> =>
  issue(
    ctx,
    {
      kind: 'CREDIT_NOTE',
      accountId: invoice.accountId,
      orderId: orderId ?? invoice.orderId,
      correctsId: invoice.id,
      note,
      periodStart: null,
      periodEnd: null,
      lines: [{ label, quantity: 1, amountMinor: part.subtotalMinor }],
      currency: invoice.currency,
      taxBasisPoints: invoice.taxBasisPoints,
      reverseCharge: invoice.reverseCharge,
      ...part,
    },
    settlements,
  );

/**
 * Whom an order was taxed as stands on its invoice. What corrects it is written to the same buyer: the country says where the tax is given back. What stands in
 * its place is written to the buyer of today, a wrong one is what it is issued anew for, as long as that is the country that it was taxed for.
 */
async function buyerOf(ctx: TaxContext, { accountId, orderId, correctsId, replacesId, reverseCharge }: Draft): Promise<Party> {
  if (correctsId) return (await existingInvoice(ctx.em, correctsId)).buyer;
  const today = await buyerOfToday(ctx, accountId);
  const replaced = replacesId ? (await existingInvoice(ctx.em, replacesId)).buyer : undefined;
  if (replaced && !reverseCharge) return isElsewhere(replaced, today) ? replaced : today;
  return orderId ? taxedBuyer(today, await taxOfOrder(ctx.em, orderId)) : today;
}

/** Without billing details the address of the account is all that is known of a buyer. */
export async function buyerOfToday({ em }: Pick<TaxContext, 'em'>, accountId: string): Promise<Party> {
  const email = (await existingAccount(em, accountId)).email ?? null;
  const details = await detailsOfAccount(em, accountId);
  if (!details) return { name: email ?? accountId, address: [], country: null, taxId: null, email };
  const { name, address, country, taxId } = details;
  return { name, address, country, taxId: taxId ?? null, email };
}
