// Mails about servers: when one is ready, and when it is gone.
import { write } from './mail-text.ts';

/** kind -> what it needs -> what it says. */
export const SERVER_MAILS = {
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
};
