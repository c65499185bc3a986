// Replaces an invoice with a wrong buyer: it is cancelled by a credit note, and issued anew to the account's present billing details. No money moves, and the
// tax stays the same.
import { inTransaction } from '#platform/database.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { because, fail } from '#platform/errors.ts';
import { formatNumber } from '../../invoices/domain/invoice.ts';
import type { Invoice } from '../../invoices/entities/invoice.ts';
import { invoiceWithId, isReplaced, lockLeftOfInvoices } from '../../invoices/entities/invoice.ts';
import { buyerOfToday } from '../../invoices/services/issue-invoice.ts';
import { renewInvoice } from '../../invoices/services/renew-invoice.ts';
import { isElsewhere } from '../../tax/domain/taxed-buyer.ts';
import type { FinanceContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';

/**
 * Returns the new invoice. Errors: invoice_not_found, parameter_invalid, action_not_allowed (a credit note, nothing is left of it, it was replaced, or its
 * buyer is in another country now: other tax is owed there).
 */
export function reissueInvoice(ctx: FinanceContext, input: { id: string; reason: string }): Promise<Invoice> {
  const reason = checkReason(input.reason);
  return inTransaction(ctx, async (tx) => {
    const found = await invoiceWithId(tx.em, input.id);
    if (!found) throw fail('invoice_not_found');
    const [open] = await lockLeftOfInvoices(tx.em, [found]);
    if (!open || found.kind !== 'INVOICE' || open.left.totalMinor === 0 || (await isReplaced(tx.em, found.id)))
      throw fail('action_not_allowed', { reason: because('invoice_not_in_force') });
    if (isElsewhere(found.buyer, await buyerOfToday(tx, found.accountId)))
      throw fail('action_not_allowed', { reason: because('invoice_taxed_elsewhere') });
    const renewed = await renewInvoice(tx, open, reason);
    await record(tx, {
      type: 'invoice.reissued',
      accountId: found.accountId,
      subject: renewed.id,
      data: { replaces: formatNumber(found), number: formatNumber(renewed), reason },
    });
    return renewed;
  });
}
