// Mails about a price that one account pays instead of the catalogue's, in German.
import { decimal, minute, sum, write } from '../../../mail/domain/german.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { ACCOUNT_PRICE_MAILS } from './account-price-mails.ts';
import { type PriceSayings, costsOf, titleOf } from './account-price-words.ts';

const GERMAN: PriceSayings = {
  nameless: { 'vps.extraIpv4': 'Zusätzliche IPv4-Adressen von VPS', 'vps.backups': 'Sicherungen von VPS' },
  amount: sum,
  unit: { residential: 'je GB', static: 'je Adresse und Monat', compute: 'im Monat' },
  step: {
    residential: (from) => `ab ${from} GB`,
    compute: (months) => `bei Zahlung für ${months === 1 ? '1 Monat' : `${months} Monate`}`,
  },
};

const RUNNING = {
  RENEWS:
    'Was Sie jetzt haben, verlängert sich zu diesem Preis, wo er günstiger ist: von der nächsten Verlängerung an, nachdem er beginnt.',
  STAYS: 'Was Sie jetzt haben, verlängert sich weiter zu dem Preis, den es hat.',
  BOUGHT: 'Was Sie gekauft haben, bleibt, wie es ist.',
};

const linkOf = ({ running, url }: { running: string; url: string }) => ({
  label: running === 'BOUGHT' ? 'Meine Pakete ansehen' : 'Meine Abonnements ansehen',
  url,
});

/** Kind of mail -> a function from the mail's data to its German text. */
export const ACCOUNT_PRICE_MAILS_DE: ToCustomers<typeof ACCOUNT_PRICE_MAILS> = {
  account_price_set(data) {
    const { brand, from, until, off, changes, running } = data;
    const title = titleOf(data, GERMAN);
    const span = `${from ? `Ab dem ${minute(from)}` : 'Ab sofort'}${until ? ` bis zum ${minute(until)}` : ''}`;
    return write({
      subject: changes ? `Ihr Preis ändert sich: ${title}` : `Ein eigener Preis für Sie: ${title}`,
      paragraphs: [
        `${span} zahlen Sie für ${title}, ohne Steuer: ${costsOf(data, GERMAN)}.${off ? ` Das sind ${decimal(off)} % weniger als unser Listenpreis, dem er folgt.` : ''}`,
        'Er gilt für alles, was Sie in dieser Zeit bestellen oder aufladen. Angebote, die Sie schon haben, behalten ihren Preis.',
        RUNNING[running],
      ],
      link: linkOf(data),
      closing: brand,
    });
  },
  account_price_ended(data) {
    const { brand, from, running } = data;
    const [title, costs] = [titleOf(data, GERMAN), costsOf(data, GERMAN)];
    return write({
      subject: from ? `Der Preis kommt nicht: ${title}` : `Ihr Preis ist zu Ende: ${title}`,
      paragraphs: [
        from
          ? `Der Preis, den Sie ab dem ${minute(from)} für ${title} haben sollten, ist zurückgenommen. Sie zahlen weiterhin, ohne Steuer: ${costs}.`
          : `Der Preis, den Sie für ${title} hatten, ist zu Ende. Von jetzt an zahlen Sie, ohne Steuer: ${costs}.`,
        running === 'BOUGHT'
          ? RUNNING.BOUGHT
          : 'Was sich zu Ihrem eigenen Preis verlängert hat, behält ihn. Alles andere, was Sie haben, verlängert sich weiter zu dem Preis, den es hat.',
      ],
      link: linkOf(data),
      closing: brand,
    });
  },
};
