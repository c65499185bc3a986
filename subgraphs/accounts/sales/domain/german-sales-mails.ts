// Mails between a customer and sales, in German.
import { day, sum, write } from '../../mail/domain/german.ts';
import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import type { SALES_MAILS } from './sales-mails.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
export const SALES_MAILS_DE: ToCustomers<typeof SALES_MAILS> = {
  offer_made: ({ brand, title, terms, total, until, url }) =>
    write({
      subject: `Unser Angebot für Sie: ${title} für ${sum(total)}`,
      paragraphs: [`Wie vereinbart: ${terms}`, `Sie können ${title} bis zum ${day(until)} für ${sum(total)} bestellen.`],
      link: { label: 'Angebot ansehen', url },
      closing: brand,
    }),
};
