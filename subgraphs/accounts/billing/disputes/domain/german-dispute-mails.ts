// Mails about disputed payments, in German.
import { write } from '../../../mail/domain/german.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { DISPUTE_MAILS } from './dispute-mails.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
export const DISPUTE_MAILS_DE: ToCustomers<typeof DISPUTE_MAILS> = {
  purchase_frozen: ({ brand, title, support, url }) =>
    write({
      subject: `Ausgesetzt: ${title}`,
      paragraphs: [
        `Der Zahlung für ${title} wurde bei Ihrer Bank widersprochen. Bis das geklärt ist, ist es ausgesetzt; inzwischen verlängert sich nichts davon.`,
        `Wenn Sie nicht widersprechen wollten, ziehen Sie den Widerspruch bei Ihrer Bank zurück und schreiben Sie an ${support}.`,
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  purchase_thawed: ({ brand, title, support, url }) =>
    write({
      subject: `Läuft wieder: ${title}`,
      paragraphs: [`Der Widerspruch zu ${title} ist geklärt, deshalb läuft es wieder. Fragen an: ${support}.`],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
};
