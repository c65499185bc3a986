// Mails about API keys: one was asked for, issued, or is about to end.
import { type MailText, write } from '../../mail/domain/mail-text.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const KEY_MAILS = {
  key_asked: ({ brand, account, what, url }: { brand: string; account: string; what: string; url: string }) =>
    write({
      subject: `An API key is asked for by ${account}`,
      paragraphs: [`The account ${account} asks for ${what}.`],
      link: { label: 'See the account', url },
      closing: brand,
    }),
  key_expiring: ({ brand, masked, days, at, url }: { brand: string; masked: string; days: number; at: string; url: string }) =>
    write({
      subject: days === 1 ? `Your ${brand} API key expires tomorrow` : `Your ${brand} API key expires in ${days} days`,
      paragraphs: [
        `Your API key ${masked} works until ${at}. Requests with it are refused from then on.`,
        'If you still need it, ask for a new one: both can work side by side for a day.',
      ],
      link: { label: 'Ask for a new key', url },
      closing: brand,
    }),
  key_issued: ({ brand, masked, url }: { brand: string; masked: string; url: string }) =>
    write({
      subject: `A new API key for your ${brand} account`,
      paragraphs: [
        `Support has issued the API key ${masked} for your account. The key itself is never sent by mail.`,
        'If you did not ask for it, revoke it at once.',
      ],
      link: { label: 'See my keys', url },
      closing: brand,
    }),
  key_order_ceiling: ({
    brand,
    masked,
    ceiling,
    off,
    url,
  }: {
    brand: string;
    masked: string;
    ceiling: string;
    off: boolean;
    url: string;
  }) =>
    write({
      subject: off ? 'Your API key may not order any more' : `Your API key may order for ${ceiling} a month`,
      paragraphs: [
        off
          ? `Your API key ${masked} may not place orders from now on. What it has ordered stays.`
          : `Your API key ${masked} may place orders for up to ${ceiling} in a calendar month, tax included. They are paid with your credit, or charged to your saved means.`,
        'You can lower this, or switch it off, at any time. If you did not want it, revoke the key at once.',
      ],
      link: { label: 'See my keys', url },
      closing: brand,
    }),
  key_ordered: ({
    brand,
    masked,
    title,
    total,
    left,
    url,
  }: {
    brand: string;
    masked: string;
    title: string;
    total: string;
    left: string;
    url: string;
  }) =>
    write({
      subject: `Your API key has ordered ${title}`,
      paragraphs: [
        `Your API key ${masked} has ordered ${title} for ${total}. It may order for ${left} more in this month.`,
        'If this was not you, revoke the key at once and write to us.',
      ],
      link: { label: 'See my keys', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
