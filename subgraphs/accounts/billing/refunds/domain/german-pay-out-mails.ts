// The German of mails about credit that is paid out.
import { sum, write } from '../../../mail/domain/german.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { PAY_OUT_MAILS } from './pay-out-mails.ts';

/** kind -> what it says in German. */
export const PAY_OUT_MAILS_DE: ToCustomers<typeof PAY_OUT_MAILS> = {
  credit_paid_out: ({ brand, amount, parts, reason }) =>
    write({
      subject: `${sum(amount)} Guthaben werden ausgezahlt`,
      paragraphs: [
        `Wir zahlen ${sum(amount)} Ihres Guthabens aus: ${reason}`,
        ...parts.map((part) => `${sum(part.amount)} ${part.to.de}.`),
        'Bis Ihre Bank es zeigt, kann es bis zu zehn Werktage dauern.',
      ],
      closing: brand,
    }),
  pay_out_returned: ({ brand, amount, url }) =>
    write({
      subject: `${sum(amount)} ließen sich nicht auszahlen`,
      paragraphs: [
        `Was von Ihrem Guthaben ausgezahlt werden sollte, ist nicht angekommen. Die ${sum(amount)} sind wieder Ihr Guthaben.`,
        'Sagen Sie dem Support, wohin es stattdessen gehen soll.',
      ],
      link: { label: 'Guthaben ansehen', url },
      closing: brand,
    }),
};
