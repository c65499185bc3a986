// Mails about what sellers deliver, in German.
import { decimal, minute, sum, write } from './german.ts';
import type { PRODUCT_MAILS } from './product-mails.ts';
import type { ToCustomers } from './staff-mail.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
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
  server_suspended: ({ brand, hostname, reason, url }) =>
    write({
      subject: `Ihr Server ${hostname} ist gesperrt`,
      paragraphs: [
        `Wir haben Ihren Server ${hostname} abgeschaltet: ${reason}`,
        'Seine Festplatte und seine Sicherungen bleiben, wie sie sind. Er lässt sich erst wieder benutzen, wenn wir ihn freigeben: Antworten Sie auf diese E-Mail, wenn wir Ihrer Meinung nach irren oder wenn die Sache erledigt ist.',
      ],
      link: { label: 'Server ansehen', url },
      closing: brand,
    }),
  server_restored: ({ brand, hostname, reason, url }) =>
    write({
      subject: `Ihr Server ${hostname} gehört wieder Ihnen`,
      paragraphs: [`Wir haben die Sperre Ihres Servers ${hostname} aufgehoben: ${reason}`, 'Wenn er vorher lief, startet er jetzt.'],
      link: { label: 'Server öffnen', url },
      closing: brand,
    }),
  server_rebuilt: ({ brand, hostname, reason, url }) =>
    write({
      subject: `Ihr Server ${hostname} wird neu aufgesetzt`,
      paragraphs: [
        `Wir installieren das System Ihres Servers ${hostname} neu: ${reason}`,
        'Was auf seiner Festplatte war, ist gelöscht. Seine Adressen und seine Sicherungen bleiben; sein neues Passwort steht auf seiner Seite.',
      ],
      link: { label: 'Server öffnen', url },
      closing: brand,
    }),
  server_readdressed: ({ brand, hostname, reason, before, after, url }) =>
    write({
      subject: `Ihr Server ${hostname} hat jetzt die Adresse ${after}`,
      paragraphs: [
        `Ihr Server ${hostname} hat die Adresse ${after} anstelle von ${before}: ${reason}`,
        'Wenn er läuft, wird er dafür neu gestartet. Ändern Sie, was zur alten Adresse führt: Einträge im DNS, Firewalls anderer, Ihre eigenen Einstellungen.',
      ],
      link: { label: 'Server ansehen', url },
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
  plan_ends_soon: ({ brand, title, left, at, url }) =>
    write({
      subject: `Gültig bis ${minute(at)}: ${title}`,
      paragraphs: [
        `Ihr Paket ${title} ist bis ${minute(at)} gültig. ${decimal(left)} sind davon übrig: Dann verfallen sie, und seine Proxys halten an.`,
        'Laden Sie es vorher auf, und was übrig ist, bleibt mit dem Neuen gültig.',
      ],
      link: { label: 'Daten hinzufügen', url },
      closing: brand,
    }),
  plan_lapsed: ({ brand, title, size, at, url }) =>
    write({
      subject: `Nicht mehr gültig: ${title}`,
      paragraphs: [
        `Ihr Paket ${title} war bis ${minute(at)} gültig. ${decimal(size)} waren davon übrig und sind verfallen. Seine Proxys sind angehalten, und von selbst wird nichts mehr dafür gekauft.`,
        'Ein neues Paket hat einen eigenen Benutzernamen und ein eigenes Passwort: Erzeugen Sie seine Zeilen neu.',
      ],
      link: { label: 'Neues Paket kaufen', url },
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
  balance_low: ({ brand, title, percent, left, url }) =>
    write({
      subject: percent === 100 ? `Aufgebraucht: ${title}` : left ? `Noch ${decimal(left)}: ${title}` : `${percent} % verbraucht: ${title}`,
      paragraphs:
        percent === 100
          ? [
              `Ihr Paket ${title} ist aufgebraucht, und seine Proxys sind angehalten.`,
              'Laden Sie es auf, und dieselben Zeilen arbeiten weiter.',
            ]
          : [
              left
                ? `Von Ihrem Paket ${title} sind höchstens noch ${decimal(left)} übrig. Seine Proxys halten an, wenn nichts mehr übrig ist.`
                : `${percent} % Ihres Pakets ${title} sind verbraucht. Seine Proxys halten an, wenn nichts mehr übrig ist.`,
              'Laden Sie es rechtzeitig auf, und dieselben Zeilen arbeiten ohne Unterbrechung weiter.',
            ],
      link: { label: 'Meine Pakete ansehen', url },
      closing: brand,
    }),
  plan_paused: ({ brand, title, limit, url }) =>
    write({
      subject: `Angehalten bis 00:00 UTC: ${title}`,
      paragraphs: [
        `Ihr Paket ${title} hat sein Tageslimit von ${decimal(limit)} erreicht, und seine Proxys sind angehalten. Um 00:00 UTC geht es von selbst weiter.`,
        'Erhöhen oder entfernen Sie das Limit, und es geht sofort weiter.',
      ],
      link: { label: 'Limit ansehen', url },
      closing: brand,
    }),
  top_up_held: ({ brand, title, ceiling, url }) =>
    write({
      subject: `Nicht aufgeladen: ${title}`,
      paragraphs: [
        `Ihr Paket geht zur Neige, und ${title} wäre von selbst gekauft worden. Das ist mehr, als Ihre Obergrenze von ${sum(ceiling)} für diesen Monat lässt.`,
        'Erhöhen Sie die Obergrenze, oder laden Sie selbst auf. Im nächsten Monat geht es von selbst weiter.',
      ],
      link: { label: 'Einstellung ansehen', url },
      closing: brand,
    }),
  top_up_stopped: ({ brand, title, why, words, url }) =>
    write({
      subject: `Automatisches Aufladen ist aus: ${title}`,
      paragraphs: [
        `Ihr Paket ${title} geht zur Neige und wurde nicht aufgeladen. ${WHY_STOPPED[why] ?? ''}${words ? ` Die Bank sagt: ${words}` : ''}`,
        'Automatisches Aufladen ist aus, bis Sie es wieder einschalten: Bis dahin wird nichts versucht.',
      ],
      link: { label: 'Einstellung ansehen', url },
      closing: brand,
    }),
};

const WHY_STOPPED: Readonly<Record<string, string>> = {
  DECLINED: 'Die Zahlung wurde abgelehnt.',
  CONFIRMATION_NEEDED: 'Ihre Bank verlangt, dass Sie die Zahlung selbst bestätigen.',
  NO_MEANS: 'In Ihrem Konto ist nichts hinterlegt, von dem abgebucht werden kann.',
  NOT_SOLD: 'Das Produkt wird nicht mehr verkauft.',
  COUNTRY_NEEDED: 'Ihre Rechnungsangaben sagen nicht, in welchem Land Sie sind.',
};
