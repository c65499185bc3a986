// Mails about a price that one account pays instead of the catalogue's.
import { type MailText, write } from '../../../mail/domain/mail-text.ts';
import { type PricedItem, type PriceSayings, costsOf, titleOf } from './account-price-words.ts';

/** What has begun or will. */
interface PriceSet extends PricedItem {
  /** The moment, as mails write it; absent: at once. */
  from?: string;
  /** Absent: until it is ended. */
  until?: string;
  /** Percent off the list price, such as "12.50"; absent: a price that stays. */
  off?: string;
  /** It takes the place of another price of this account. */
  changes: boolean;
  /** What the account has renews at it, stays at its own price, or was bought once. */
  running: 'RENEWS' | 'STAYS' | 'BOUGHT';
}

interface PriceEnded extends PricedItem {
  /** When it was to begin; absent: it had begun. */
  from?: string;
  /** What the account has renews, or was bought once. */
  running: 'STAYS' | 'BOUGHT';
}

const ENGLISH: PriceSayings = {
  nameless: { 'vps.extraIpv4': 'Extra IPv4 addresses of VPS', 'vps.backups': 'Backups of VPS' },
  amount: (sum) => sum,
  unit: { residential: 'per GB', static: 'per address and month', compute: 'per month' },
  step: {
    residential: (from) => `from ${from} GB`,
    compute: (months) => `when ${months === 1 ? '1 month is' : `${months} months are`} paid at once`,
  },
};

const RUNNING = {
  RENEWS: 'What you have now renews at it, from the next renewal after it begins, where that is cheaper.',
  STAYS: 'What you have now goes on renewing at the price that it has.',
  BOUGHT: 'What you have bought stays as it is.',
};

const linkOf = ({ running, url }: { running: string; url: string }) => ({
  label: running === 'BOUGHT' ? 'See my plans' : 'See my subscriptions',
  url,
});

/** Kind of mail -> a function from the mail's data to its text. */
export const ACCOUNT_PRICE_MAILS = {
  account_price_set(data: PriceSet) {
    const { brand, from, until, off, changes, running } = data;
    const title = titleOf(data, ENGLISH);
    const span = `${from ? `From ${from}` : 'From now on'}${until ? ` until ${until}` : ''}`;
    return write({
      subject: changes ? `Your price changes: ${title}` : `A price of your own: ${title}`,
      paragraphs: [
        `${span}, this is what you pay for ${title}, before tax: ${costsOf(data, ENGLISH)}.${off ? ` That is ${off} % off our list price, and changes with it.` : ''}`,
        'It holds for what you order or top up in that time. Offers that you have already keep their price.',
        RUNNING[running],
      ],
      link: linkOf(data),
      closing: brand,
    });
  },
  account_price_ended(data: PriceEnded) {
    const { brand, from, running } = data;
    const [title, costs] = [titleOf(data, ENGLISH), costsOf(data, ENGLISH)];
    return write({
      subject: from ? `The price does not come: ${title}` : `Your price has ended: ${title}`,
      paragraphs: [
        from
          ? `The price that you were to have for ${title} from ${from} on is withdrawn. You go on paying, before tax: ${costs}.`
          : `The price that you had for ${title} is over. From now on you pay, before tax: ${costs}.`,
        running === 'BOUGHT'
          ? RUNNING.BOUGHT
          : 'What has renewed at your own price keeps it. All else that you have goes on renewing at the price that it has.',
      ],
      link: linkOf(data),
      closing: brand,
    });
  },
} satisfies Record<string, (data: never) => MailText>;
