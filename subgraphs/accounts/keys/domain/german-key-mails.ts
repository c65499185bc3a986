// Mails about API keys, in German.
import { minute, write } from '../../mail/domain/german.ts';
import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import type { KEY_MAILS } from './key-mails.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
export const KEY_MAILS_DE: ToCustomers<typeof KEY_MAILS> = {
  key_expiring: ({ brand, masked, days, at, url }) =>
    write({
      subject: days === 1 ? `Ihr API-Schlüssel bei ${brand} läuft morgen ab` : `Ihr API-Schlüssel bei ${brand} läuft in ${days} Tagen ab`,
      paragraphs: [
        `Ihr API-Schlüssel ${masked} gilt bis ${minute(at)}. Von da an werden Anfragen mit ihm abgewiesen.`,
        'Wenn Sie ihn noch brauchen, bitten Sie um einen neuen: Beide können einen Tag lang nebeneinander gelten.',
      ],
      link: { label: 'Um einen neuen Schlüssel bitten', url },
      closing: brand,
    }),
  key_issued: ({ brand, masked, url }) =>
    write({
      subject: `Ein neuer API-Schlüssel für Ihr Konto bei ${brand}`,
      paragraphs: [
        `Der Support hat den API-Schlüssel ${masked} für Ihr Konto ausgestellt. Der Schlüssel selbst wird nie per E-Mail gesendet.`,
        'Wenn Sie nicht darum gebeten haben, widerrufen Sie ihn sofort.',
      ],
      link: { label: 'Meine Schlüssel ansehen', url },
      closing: brand,
    }),
};
