// Mails about what sellers deliver: servers, stock, bandwidth packages.
import { type MailText, write } from './mail-text.ts';

/** What staff did with a server. */
interface Handled {
  brand: string;
  hostname: string;
  reason: string;
  url: string;
}

/** Kind of mail -> a function from the mail's data to its text. */
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
  server_suspended: ({ brand, hostname, reason, url }: Handled) =>
    write({
      subject: `Your server ${hostname} is suspended`,
      paragraphs: [
        `We have switched your server ${hostname} off: ${reason}`,
        'Its disk and its backups stay as they are. It cannot be used until we restore it: answer this mail if you think that we are wrong, or when the matter is settled.',
      ],
      link: { label: 'See the server', url },
      closing: brand,
    }),
  server_restored: ({ brand, hostname, reason, url }: Handled) =>
    write({
      subject: `Your server ${hostname} is yours again`,
      paragraphs: [`We have lifted the suspension of your server ${hostname}: ${reason}`, 'If it ran before, it is starting now.'],
      link: { label: 'Open the server', url },
      closing: brand,
    }),
  server_rebuilt: ({ brand, hostname, reason, url }: Handled) =>
    write({
      subject: `Your server ${hostname} is rebuilt`,
      paragraphs: [
        `We are installing the system of your server ${hostname} anew: ${reason}`,
        'What was on its disk is gone. Its addresses and its backups stay; its new password is on its page.',
      ],
      link: { label: 'Open the server', url },
      closing: brand,
    }),
  server_readdressed: ({ brand, hostname, reason, before, after, url }: Handled & { before: string; after: string }) =>
    write({
      subject: `Your server ${hostname} has the address ${after} now`,
      paragraphs: [
        `Your server ${hostname} has the address ${after} in the place of ${before}: ${reason}`,
        'It is restarted for that if it runs. Change what leads to the old address: records in DNS, firewalls of others, your own settings.',
      ],
      link: { label: 'See the server', url },
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
  plan_ends_soon: ({ brand, title, left, at, url }: { brand: string; title: string; left: string; at: string; url: string }) =>
    write({
      subject: `Valid until ${at}: ${title}`,
      paragraphs: [
        `Your package ${title} is valid until ${at}. ${left} are left of it: then they lapse, and its proxies stop.`,
        'Add data before that, and what is left stays valid with it.',
      ],
      link: { label: 'Add data', url },
      closing: brand,
    }),
  plan_lapsed: ({ brand, title, size, at, url }: { brand: string; title: string; size: string; at: string; url: string }) =>
    write({
      subject: `No longer valid: ${title}`,
      paragraphs: [
        `Your package ${title} was valid until ${at}. ${size} were left of it and have lapsed. Its proxies have stopped, and nothing more is bought for it by itself.`,
        'A new package has a username and a password of its own: make its lines anew.',
      ],
      link: { label: 'Buy a new package', url },
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
  balance_low: ({ brand, title, percent, left, url }: { brand: string; title: string; percent: number; left?: string; url: string }) =>
    write({
      subject: percent === 100 ? `Used up: ${title}` : left ? `${left} left: ${title}` : `${percent} % used: ${title}`,
      paragraphs:
        percent === 100
          ? [`Your package ${title} is used up, and its proxies have stopped.`, 'Add data to it, and the same lines go on.']
          : [
              left
                ? `Of your package ${title}, ${left} or less is left. Its proxies stop when nothing is.`
                : `${percent} % of your package ${title} is used. Its proxies stop when nothing is left.`,
              'Add data in time, and the same lines go on without a gap.',
            ],
      link: { label: 'See my plans', url },
      closing: brand,
    }),
  plan_paused: ({ brand, title, limit, url }: { brand: string; title: string; limit: string; url: string }) =>
    write({
      subject: `Paused until 00:00 UTC: ${title}`,
      paragraphs: [
        `Your package ${title} has reached its daily limit of ${limit}, and its proxies have stopped. They go on by themselves at 00:00 UTC.`,
        'Raise or remove the limit, and they go on at once.',
      ],
      link: { label: 'See the limit', url },
      closing: brand,
    }),
  top_up_held: ({ brand, title, ceiling, url }: { brand: string; title: string; ceiling: string; url: string }) =>
    write({
      subject: `Not topped up: ${title}`,
      paragraphs: [
        `Your package is low, and ${title} would have been bought by itself. That is more than your ceiling of ${ceiling} leaves for this month.`,
        'Raise the ceiling, or add data by hand. Next month it goes on by itself.',
      ],
      link: { label: 'See the setting', url },
      closing: brand,
    }),
  top_up_stopped: ({ brand, title, why, words, url }: { brand: string; title: string; why: string; words?: string; url: string }) =>
    write({
      subject: `Automatic top-up is off: ${title}`,
      paragraphs: [
        `Your package ${title} is low and was not topped up. ${WHY_STOPPED[why] ?? ''}${words ? ` The bank says: ${words}` : ''}`,
        'Automatic top-ups are off until you switch them on again: nothing is tried in the meantime.',
      ],
      link: { label: 'See the setting', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;

/** Reason why automatic top-ups were switched off -> how mails say it. */
const WHY_STOPPED: Readonly<Record<string, string>> = {
  DECLINED: 'The payment was declined.',
  CONFIRMATION_NEEDED: 'Your bank wants you to confirm the payment yourself.',
  NO_MEANS: 'Your account has nothing saved that could be charged.',
  NOT_SOLD: 'The product is not sold any more.',
  COUNTRY_NEEDED: 'Your billing details do not say in which country you are.',
};
