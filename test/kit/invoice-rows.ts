// Reads invoices and credit notes for tests, and writes them without the product, to show what the database itself refuses.
import type { Query } from './tables.ts';

/** Writes a credit note for an invoice, with the next number of the series CN-2026. Amounts are in minor units. */
export async function writeNote(
  query: Query,
  invoiceId: string,
  {
    accountId,
    subtotalMinor,
    taxMinor,
    taxBasisPoints,
  }: { accountId: string; subtotalMinor: number; taxMinor: number; taxBasisPoints: number },
): Promise<void> {
  await query(
    `insert into accounts.invoice (id, series, number, kind, account_id, corrects_id, note, seller, buyer, lines, currency, subtotal_minor,
       tax_basis_points, tax_minor, total_minor, issued_at)
     select 'inv_by_hand', series, 1 + max(number), 'CREDIT_NOTE', $1, $2, '', '{}', '{}', '[]', 'USD', $3::bigint, $4, $5::bigint, $3::bigint + $5::bigint, now()
     from accounts.invoice where series = 'CN-2026' group by series`,
    [accountId, invoiceId, subtotalMinor, taxBasisPoints, taxMinor],
  );
}

/** Copies invoice number 1 under another number. */
export async function writeInvoiceAgain(query: Query, number: number): Promise<void> {
  await query(
    `insert into accounts.invoice select 'inv_again', series, $1, kind, account_id, null, null, note, null, null, seller, buyer, lines, currency,
       subtotal_minor, tax_basis_points, tax_minor, total_minor, issued_at from accounts.invoice where number = 1`,
    [number],
  );
}

export const invoiceRows = (query: Query) => ({
  /** How an order was paid (its invoices) or refunded (its credit notes): an amount in minor units for each method. */
  settlementsOf: async (orderId: string, kind: 'INVOICE' | 'CREDIT_NOTE' = 'INVOICE') =>
    (
      await query<{ method: string; amount: string }>(
        `select method, amount_minor as amount from accounts.invoice_settlement join accounts.invoice on id = invoice_id
         where order_id = $1 and kind = $2 order by method`,
        [orderId, kind],
      )
    ).map(({ method, amount }) => ({ method, amountMinor: Number(amount) })),
  /** The sum of all invoices minus the sum of all credit notes, in minor units. */
  async net(): Promise<number> {
    const [row] = await query<{ net: string }>(
      `select coalesce(sum(case kind when 'INVOICE' then total_minor else -total_minor end), 0) as net from accounts.invoice`,
    );
    return Number(row?.net);
  },
});
