import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import { day, write } from '../../mail/domain/german.ts';
import type { ABUSE_MAILS } from './abuse-mails.ts';

export const ABUSE_MAILS_DE: ToCustomers<typeof ABUSE_MAILS> = {
  abuse_warned: ({ brand, message, caseId, until, writeTo }) =>
    write({
      subject: `Eine Beschwerde über Ihr Konto bei ${brand}: Antwort bis ${day(until)}`,
      paragraphs: [
        `Jemand hat sich über das beschwert, was über Ihr Konto bei ${brand} geschehen ist. Wir haben als ${caseId} festgehalten:`,
        `„${message}“`,
        `Stellen Sie es ab, und sagen Sie uns bis ${day(until)}, was geschehen ist und was Sie getan haben: Schreiben Sie an ${writeTo} und nennen Sie ${caseId}. Ohne eine Antwort kann Ihr Konto gesperrt werden.`,
      ],
      closing: brand,
    }),
};
