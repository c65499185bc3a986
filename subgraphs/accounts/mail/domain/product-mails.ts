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
        'Nothing is held for you: they go to whoever orders first.',
      ],
      link: { label: 'Buy addresses', url },
      closing: brand,
    }),
  plan_withdrawn: ({ brand, title, size, reason, url }: { brand: string; title: string; size: string; reason: string; url: string }) =>
    write({
      subject: `${size} taken back: ${title}`,
      paragraphs: [`We have taken ${size} of your package ${title} back: ${reason}`],
      link: { label: 'See my plans', url },
      closing: brand,
    }),
  proxy_password_reset: ({ brand, title, reason, url }: { brand: string; title: string; reason: string; url: string }) =>
    write({
      subject: `New proxy password: ${title}`,
      paragraphs: [
        `We have given your plan ${title} a new proxy password: ${reason}`,
        'Lines that you made or copied before work no longer. Make or copy them anew, and give them only to whom you answer for.',
      ],
      link: { label: 'See the plan', url },
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
