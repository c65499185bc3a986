import { fail } from '#platform/errors.ts';
import { drawInvoice } from '../providers/invoice-pdf.ts';
import { formatNumber } from '../domain/invoice.ts';
import { existingInvoice, invoiceOfOwner, invoiceWithId } from '../entities/invoice.ts';
import { settlementsOf } from '../entities/invoice-settlement.ts';
import type { TaxContext } from '../../tax/context.ts';

/** An invoice as a PDF; `accountId` absent: for support, of any account. Errors: invoice_not_found, also for another account's. */
export async function documentOf(
  ctx: TaxContext,
  { id, accountId }: { id: string; accountId?: string | null },
): Promise<{ fileName: string; pdf: Buffer }> {
  const invoice = await (accountId ? invoiceOfOwner(ctx.em, id, accountId) : invoiceWithId(ctx.em, id));
  if (!invoice) throw fail('invoice_not_found');
  const corrects = invoice.correctsId ? await existingInvoice(ctx.em, invoice.correctsId) : undefined;
  const settlements = await settlementsOf(ctx.em, id);
  const replaces = invoice.replacesId ? await existingInvoice(ctx.em, invoice.replacesId) : undefined;
  const pdf = await drawInvoice({
    invoice,
    settlements,
    ...(corrects && { corrects: formatNumber(corrects) }),
    ...(replaces && { replaces: formatNumber(replaces) }),
  });
  return { fileName: `${formatNumber(invoice)}.pdf`, pdf };
}
