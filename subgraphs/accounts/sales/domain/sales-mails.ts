// Mails between a customer and sales.
import { type MailText, write } from '../../mail/domain/mail-text.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const SALES_MAILS = {
  sales_asked: ({
    brand,
    account,
    product,
    volume,
    message,
    url,
  }: {
    brand: string;
    account: string;
    product: string;
    volume: string;
    message: string;
    url: string;
  }) =>
    write({
      subject: `${account} asks sales for ${product}`,
      paragraphs: [`The account ${account} asks for ${product}: ${volume}.`, ...(message ? [message] : [])],
      link: { label: 'See the account', url },
      closing: brand,
    }),
  offer_made: ({
    brand,
    title,
    terms,
    total,
    until,
    url,
  }: {
    brand: string;
    title: string;
    terms: string;
    total: string;
    until: string;
    url: string;
  }) =>
    write({
      subject: `Our offer to you: ${title} for ${total}`,
      paragraphs: [`As agreed: ${terms}`, `You can order ${title} for ${total} until ${until}.`],
      link: { label: 'See the offer', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
