// Mails about static addresses: when there are enough of them again, and when downtime has earned credit.
import { write } from './mail-text.ts';

/** kind -> what it needs -> what it says. */
export const STATIC_MAILS = {
  stock_available: ({ brand, title, quantity, url }: { brand: string; title: string; quantity: number; url: string }) =>
    write({
      subject: `${title} is in stock again`,
      paragraphs: [
        `You asked to hear when ${quantity} ${quantity === 1 ? 'address' : 'addresses'} of ${title} can be bought. There are enough now.`,
        'Nothing is held for you: an offer holds its addresses for 15 minutes once you ask for the price.',
      ],
      link: { label: 'Buy addresses', url },
      closing: brand,
    }),
  downtime_credited: ({ brand, amount, reason, url }: { brand: string; amount: string; reason: string; url: string }) =>
    write({
      subject: `${amount} of credit for downtime`,
      paragraphs: [
        `${reason} That is more than we promise, so ${amount} is credit of your account now, and pays first at your next order.`,
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
};
