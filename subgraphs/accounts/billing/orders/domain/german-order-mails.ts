// The German of mails about orders.
import { day, sum, write } from '../../../mail/domain/german.ts';
import { sayIn } from '../../../mail/domain/said.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { ORDER_MAILS } from './order-mails.ts';

/** kind -> what it says in German. */
export const ORDER_MAILS_DE: ToCustomers<typeof ORDER_MAILS> = {
  credit_left: ({ brand, amount, account, support }) =>
    write({
      subject: `${sum(amount)} Guthaben waren noch in Ihrem Konto`,
      paragraphs: [
        `Ihr Konto ist geschlossen, und ${sum(amount)} Guthaben waren noch darin, die wir nicht von selbst dorthin zurückgeben konnten, woher sie kamen. Was Sie davon bezahlt haben, gehört Ihnen.`,
        `Um das ausgezahlt zu bekommen, schreiben Sie von dieser Adresse an ${support}, nennen Sie das Konto ${account} und sagen Sie, wohin das Geld gehen soll.`,
      ],
      closing: brand,
    }),
  transfer_part: ({ brand, title, reference, arrived, left, until, url }) =>
    write({
      subject: `Noch ${sum(left)} zu zahlen: ${title}`,
      paragraphs: [
        `Von Ihrer Überweisung für ${title} sind ${sum(arrived)} angekommen und dafür zurückgelegt.`,
        `Bitte überweisen Sie die übrigen ${sum(left)} mit dem Verwendungszweck ${reference} bis zum ${day(until)}.`,
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  transfer_credited: ({ brand, title, amount, url }) =>
    write({
      subject: `${sum(amount)} Ihrer Überweisung sind jetzt Guthaben`,
      paragraphs: [
        `Von Ihrer Überweisung für ${title} wurden ${sum(amount)} nicht gebraucht, reichten nicht aus oder kamen, als die Bestellung beendet war.`,
        'Sie sind jetzt Guthaben Ihres Kontos und zahlen bei Ihrer nächsten Bestellung zuerst.',
      ],
      link: { label: 'Mein Guthaben ansehen', url },
      closing: brand,
    }),
  transfer_terms: ({ brand, title, reference, amount, bank, until, url }) =>
    write({
      subject: `So überweisen Sie ${sum(amount)} für ${title}`,
      paragraphs: [
        `Bitte überweisen Sie ${sum(amount)} mit dem Verwendungszweck ${reference} bis zum ${day(until)}.`,
        bank.length > 0 ? `An: ${bank.join(', ')}` : 'Der Support sendet Ihnen unsere Bankverbindung.',
        'Ihre Bestellung geht weiter, sobald der Support die Überweisung gesehen hat.',
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  crypto_credited: ({ brand, title, amount, url }) =>
    write({
      subject: `${sum(amount)} Ihrer Kryptowährung sind jetzt Guthaben`,
      paragraphs: [
        `Von dem, was Sie für ${title} gesendet haben, wurden ${sum(amount)} nicht gebraucht, reichten nicht aus oder kamen, als die Bestellung beendet war.`,
        'Sie sind jetzt Guthaben Ihres Kontos und zahlen bei Ihrer nächsten Bestellung zuerst.',
      ],
      link: { label: 'Mein Guthaben ansehen', url },
      closing: brand,
    }),
  change_not_made: ({ brand, title, amount, url }) =>
    write({
      subject: `Zu spät: ${title}`,
      paragraphs: [
        `Ihre Zahlung für ${title} kam an, nachdem sich das Abonnement geändert hatte oder beendet war. Damit wurde nichts gekauft.`,
        `Die ${sum(amount)} sind jetzt Guthaben Ihres Kontos. Es zahlt zuerst, wenn Sie wieder bestellen.`,
      ],
      link: { label: 'Mein Guthaben ansehen', url },
      closing: brand,
    }),
  not_delivered: ({ brand, title, amount, url }) =>
    write({
      subject: `Wir konnten nicht liefern: ${title}`,
      paragraphs: [
        `Es tut uns leid: ${title} konnte nicht geliefert werden, und davon wird nichts mehr abgebucht.`,
        `Alle ${sum(amount)} gehen zurück: auf Ihre Karte, was die Karte gezahlt hat, der Rest als Guthaben Ihres Kontos.`,
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  order_paid: ({ brand, title, total, invoiceId, url }) =>
    write({
      subject: `Bezahlt: ${title}`,
      paragraphs: [`Vielen Dank. Wir haben ${sum(total)} für ${title} erhalten.`, ...(invoiceId ? ['Die Rechnung liegt bei.'] : [])],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  downtime_credited: ({ brand, amount, reason, url }) =>
    write({
      subject: `${sum(amount)} Guthaben für einen Ausfall`,
      paragraphs: [
        `${sayIn('de', reason)} Das ist mehr, als wir zusagen. Deshalb sind ${sum(amount)} jetzt Guthaben Ihres Kontos und zahlen bei Ihrer nächsten Bestellung zuerst.`,
      ],
      link: { label: 'Mein Guthaben ansehen', url },
      closing: brand,
    }),
  credit_reversed: ({ brand, amount, reason, url }) =>
    write({
      subject: `${sum(amount)} Guthaben zurückgenommen`,
      paragraphs: [`Wir haben ${sum(amount)} Guthaben zurückgenommen, die irrtümlich gegeben wurden: ${reason}`],
      link: { label: 'Mein Guthaben ansehen', url },
      closing: brand,
    }),
  order_withdrawn: ({ brand, title, reason, url }) =>
    write({
      subject: `Zurückgenommen: ${title}`,
      paragraphs: [
        `Wir haben zurückgenommen, was von ${title} nicht gebraucht wurde: ${reason}`,
        'Was zurückgegeben wurde, steht auf der Seite der Bestellung.',
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  key_order_declined: ({ brand, title, total, words, url }) =>
    write({
      subject: `Nicht bezahlt und nicht bestellt: ${title}`,
      paragraphs: [
        `Einer Ihrer API-Schlüssel hat ${title} bestellt, und ${sum(total)} ließen sich nicht von dem abbuchen, was in Ihrem Konto hinterlegt ist.${words ? ` Die Bank sagt: ${words}` : words === null ? '' : ' Ihre Bank verlangt, dass Sie die Zahlung selbst bestätigen.'}`,
        'Die Bestellung ist storniert: Es wurde nichts abgebucht, und von selbst wird nichts noch einmal versucht. Sehen Sie sich an, was hinterlegt ist, und lassen Sie den Schlüssel dann neu bestellen.',
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  order_held: ({ brand, title, url }) =>
    write({
      subject: `Wir sehen uns Ihre Bestellung an: ${title}`,
      paragraphs: [
        `Danke für Ihre Bestellung von ${title}. Bevor wir sie liefern, sieht einer von uns sie sich an, meist innerhalb eines Werktags. Sie müssen nichts tun.`,
        'Wenn wir sie nicht annehmen können, geht Ihr ganzes Geld auf dem Weg zurück, auf dem es kam.',
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
  order_refused: ({ brand, title, amount, url }) =>
    write({
      subject: `Nicht angenommen: ${title}`,
      paragraphs: [
        `Wir können Ihre Bestellung von ${title} nicht annehmen. ${sum(amount)} gehen auf dem Weg zurück, auf dem sie kamen; bei einer Karte dauert das bis zu zehn Tage.`,
        'Wenn wir uns irren, antworten Sie auf diese E-Mail.',
      ],
      link: { label: 'Bestellung ansehen', url },
      closing: brand,
    }),
};
