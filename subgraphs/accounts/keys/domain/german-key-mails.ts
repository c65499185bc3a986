// Mails about API keys, in German.
import { minute, sum, write } from '../../mail/domain/german.ts';
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
  key_order_ceiling: ({ brand, masked, ceiling, off, url }) =>
    write({
      subject: off ? 'Ihr API-Schlüssel darf nicht mehr bestellen' : `Ihr API-Schlüssel darf für ${sum(ceiling)} im Monat bestellen`,
      paragraphs: [
        off
          ? `Ihr API-Schlüssel ${masked} darf von jetzt an nicht mehr bestellen. Was er bestellt hat, bleibt.`
          : `Ihr API-Schlüssel ${masked} darf für bis zu ${sum(ceiling)} im Kalendermonat bestellen, Steuer eingeschlossen. Bezahlt wird mit Ihrem Guthaben oder dem, was Sie hinterlegt haben.`,
        'Sie können das jederzeit senken oder abschalten. Wenn Sie es nicht wollten, widerrufen Sie den Schlüssel sofort.',
      ],
      link: { label: 'Meine Schlüssel ansehen', url },
      closing: brand,
    }),
  key_ordered: ({ brand, masked, title, total, left, url }) =>
    write({
      subject: `Ihr API-Schlüssel hat ${title} bestellt`,
      paragraphs: [
        `Ihr API-Schlüssel ${masked} hat ${title} für ${sum(total)} bestellt. In diesem Monat darf er noch für ${sum(left)} bestellen.`,
        'Wenn Sie das nicht waren, widerrufen Sie den Schlüssel sofort und schreiben Sie uns.',
      ],
      link: { label: 'Meine Schlüssel ansehen', url },
      closing: brand,
    }),
};
