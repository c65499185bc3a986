// Mails about the price of a running subscription, in German.
import { day, sum, write } from '../../../mail/domain/german.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { REPRICING_MAILS } from './repricing-mails.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
export const REPRICING_MAILS_DE: ToCustomers<typeof REPRICING_MAILS> = {
  price_changes: ({ brand, title, before, after, on, url }) =>
    write({
      subject: `Neuer Preis ab ${day(on)}: ${title}`,
      paragraphs: [
        `Der Zeitraum von ${title}, der am ${day(on)} beginnt, und die danach kosten ${sum(after)} statt ${sum(before)}.`,
        'Was bezahlt ist, bleibt, wie es ist. Bis dahin können Sie kündigen.',
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
  price_stays: ({ brand, title, before, after, on, url }) =>
    write({
      subject: `Der Preis bleibt: ${title}`,
      paragraphs: [
        `Wir haben Ihnen angekündigt, dass ${title} ab ${day(on)} ${sum(after)} kostet. Das ist zurückgenommen: Es kostet weiterhin ${sum(before)}.`,
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
};
