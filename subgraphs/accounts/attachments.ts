// The files that go with mails, for all nouns of this subgraph; `mail/` sends what it gets from here.
import { documentOf } from './billing/invoices/services/invoice-document.ts';
import type { Context } from './context.ts';
import type { Attachment } from './mail/providers/mailer.ts';

/** The PDF of the invoice that a mail names, if it names one. */
export async function attachmentsOf(ctx: Context, { invoiceId }: { invoiceId?: string }): Promise<Attachment[]> {
  if (!invoiceId) return [];
  const { fileName, pdf } = await documentOf(ctx, { id: invoiceId });
  return [{ fileName, contentType: 'application/pdf', content: pdf }];
}
