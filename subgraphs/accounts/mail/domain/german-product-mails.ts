// The German of mails about what sellers deliver.
import { decimal, write } from './german.ts';
import type { PRODUCT_MAILS } from './product-mails.ts';
import type { ToCustomers } from './staff-mail.ts';

/** kind -> what it says in German. */
export const PRODUCT_MAILS_DE: ToCustomers<typeof PRODUCT_MAILS> = {
  server_ready: ({ brand, hostname, url }) =>
    write({
      subject: `Ihr Server ${hostname} ist bereit`,
      paragraphs: [`Der Server ${hostname} läuft. Adresse, Benutzername und Passwort stehen auf seiner Seite.`],
      link: { label: 'Server öffnen', url },
      closing: brand,
    }),
  server_deleted: ({ brand, hostname }) =>
    write({
      subject: `Ihr Server ${hostname} wurde gelöscht`,
      paragraphs: [
        `Das Abonnement des Servers ${hostname} ist beendet, und der Server ist gelöscht, mit seiner Festplatte und seinen Sicherungen.`,
        'Für ihn wird nichts mehr abgebucht. Seine Rechnungen und sein Verlauf bleiben in Ihrem Konto.',
      ],
      closing: brand,
    }),
  stock_available: ({ brand, title, quantity, url }) =>
    write({
      subject: `${title} ist wieder verfügbar`,
      paragraphs: [
        `Sie wollten wissen, wann ${quantity === 1 ? 'sich 1 Adresse' : `sich ${quantity} Adressen`} von ${title} kaufen ${quantity === 1 ? 'lässt' : 'lassen'}. Jetzt sind genug da.`,
        'Für Sie ist nichts zurückgelegt: Sie gehen an den, der zuerst bestellt.',
      ],
      link: { label: 'Adressen kaufen', url },
      closing: brand,
    }),
  plan_withdrawn: ({ brand, title, size, reason, url }) =>
    write({
      subject: `${decimal(size)} zurückgenommen: ${title}`,
      paragraphs: [`Wir haben ${decimal(size)} Ihres Pakets ${title} zurückgenommen: ${reason}`],
      link: { label: 'Meine Pakete ansehen', url },
      closing: brand,
    }),
  proxy_password_reset: ({ brand, title, reason, url }) =>
    write({
      subject: `Neues Proxy-Passwort: ${title}`,
      paragraphs: [
        `Wir haben Ihrem Paket ${title} ein neues Proxy-Passwort gegeben: ${reason}`,
        'Zeilen, die Sie vorher erzeugt oder kopiert haben, gelten nicht mehr. Erzeugen oder kopieren Sie sie neu, und geben Sie sie nur an Menschen, für die Sie einstehen.',
      ],
      link: { label: 'Paket ansehen', url },
      closing: brand,
    }),
  balance_low: ({ brand, title, percent, url }) =>
    write({
      subject: percent === 100 ? `Aufgebraucht: ${title}` : `${percent} % verbraucht: ${title}`,
      paragraphs:
        percent === 100
          ? [
              `Ihr Paket ${title} ist aufgebraucht, und seine Proxys sind angehalten.`,
              'Kaufen Sie ein neues Paket, um weiterzumachen; es kommt mit neuen Zugangsdaten.',
            ]
          : [
              `${percent} % Ihres Pakets ${title} sind verbraucht. Seine Proxys halten an, wenn nichts mehr übrig ist.`,
              'Kaufen Sie rechtzeitig ein neues Paket, um ohne Unterbrechung weiterzumachen.',
            ],
      link: { label: 'Meine Pakete ansehen', url },
      closing: brand,
    }),
};
