// What goes with mails as a file, of all nouns: mail/ sends what it is handed here.
import { documentOf } from './billing/invoices/services/invoice-document.ts';
import type { Context } from './context.ts';
import type { Attachment } from './mail/providers/mailer.ts';

/** A mail that names an invoice has it with it. */
export async function attachmentsOf(ctx: Context, { invoiceId }: { invoiceId?: string }): Promise<Attachment[]> {
  if (!invoiceId) return [];
  const { fileName, pdf } = await documentOf(ctx, { id: invoiceId });
  return [{ fileName, contentType: 'application/pdf', content: pdf }];
}
