// Every mail of this subgraph as a typed function.
import { ACCESS_MAILS } from '../../identity/domain/access-mails.ts';
import { type MailText, write } from './mail-text.ts';
import { ORDER_MAILS } from '../../billing/orders/domain/order-mails.ts';
import { RENEWAL_MAILS } from '../../billing/subscriptions/domain/renewal-mails.ts';
import { SERVER_MAILS } from './server-mails.ts';
import { STATIC_MAILS } from './static-mails.ts';

/** kind -> what it needs -> what it says. */
export const MAILS = {
  ...ORDER_MAILS,
  ...RENEWAL_MAILS,
  ...SERVER_MAILS,
  ...STATIC_MAILS,
  ...ACCESS_MAILS,
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
  balance_low: ({ brand, title, percent, url }: { brand: string; title: string; percent: number; url: string }) =>
    write({
      subject: percent === 100 ? `Used up: ${title}` : `${percent} % used: ${title}`,
      paragraphs:
        percent === 100
          ? [
              `Your package ${title} is used up, and its proxies have stopped.`,
              'Buy a new package to go on; it comes with new credentials.',
            ]
          : [
              `${percent} % of your package ${title} is used. Its proxies stop when nothing is left.`,
              'Buy a new package in time to go on without a gap.',
            ],
      link: { label: 'See my plans', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;

export type MailKind = keyof typeof MAILS;
export type MailData<Kind extends MailKind> = Omit<Parameters<(typeof MAILS)[Kind]>[0], 'brand'>;
