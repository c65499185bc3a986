// Mails about the price of a running subscription.
import { type MailText, write } from '../../../mail/domain/mail-text.ts';

interface NewPrice {
  brand: string;
  title: string;
  /** What a period costs now, with tax. */
  before: string;
  /** What it will cost, or would have cost. */
  after: string;
  /** The day on which the first such period begins. */
  on: string;
  url: string;
}

/** Kind of mail -> a function from the mail's data to its text. */
export const REPRICING_MAILS = {
  price_changes: ({ brand, title, before, after, on, url }: NewPrice) =>
    write({
      subject: `New price from ${on}: ${title}`,
      paragraphs: [
        `The period of ${title} that begins on ${on}, and those after it, cost ${after} instead of ${before}.`,
        'What is paid stays as it is. You can cancel until then.',
      ],
      link: { label: 'See my subscriptions', url },
      closing: brand,
    }),
  price_stays: ({ brand, title, before, after, on, url }: NewPrice) =>
    write({
      subject: `The price stays: ${title}`,
      paragraphs: [`We have told you that ${title} costs ${after} from ${on} on. That is withdrawn: it goes on costing ${before}.`],
      link: { label: 'See my subscriptions', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
