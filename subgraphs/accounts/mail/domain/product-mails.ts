// Mails about what sellers deliver: servers, stock, bandwidth packages.
import { type MailText, write } from './mail-text.ts';

/** kind -> what it needs -> what it says. */
export const PRODUCT_MAILS = {
  server_ready: ({ brand, hostname, url }: { brand: string; hostname: string; url: string }) =>
    write({
      subject: `Your server ${hostname} is ready`,
      paragraphs: [`The server ${hostname} runs. Its address, user name and password are on its page.`],
      link: { label: 'Open the server', url },
      closing: brand,
    }),
  server_deleted: ({ brand, hostname }: { brand: string; hostname: string }) =>
    write({
      subject: `Your server ${hostname} has been deleted`,
      paragraphs: [
        `The subscription of the server ${hostname} has ended, and the server is deleted, with its disk and its backups.`,
        'Nothing more will be charged for it. Its invoices and its history stay in your account.',
      ],
      closing: brand,
    }),
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
