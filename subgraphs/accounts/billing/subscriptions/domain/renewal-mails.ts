// Mails about renewals, and about what follows when they are not paid.
import { type MailText, write } from '../../../mail/domain/mail-text.ts';
import { GRACE_DAYS } from './dunning.ts';

interface RenewalFailure {
  brand: string;
  title: string;
  reason: string;
  amount: string;
  attempt: number;
  attempts: number;
  /** A day. */
  next: string;
  url: string;
}

/** kind -> what it needs -> what it says. */
export const RENEWAL_MAILS = {
  renewal_due: ({ brand, title, amount, due, url }: { brand: string; title: string; amount: string; due: string; url: string }) =>
    write({
      subject: `To be paid until ${due}: ${title}`,
      paragraphs: [`The next period of ${title} begins on ${due}. It costs ${amount}; the page of the renewal says how to pay.`],
      link: { label: 'Pay the renewal', url },
      closing: brand,
    }),
  renewal_failed: ({ brand, title, reason, amount, attempt, attempts, next, url }: RenewalFailure) =>
    write({
      subject: `Your payment for ${title} failed`,
      paragraphs: [
        `We could not renew ${title} for ${amount}: ${reason}. This was attempt ${attempt} of ${attempts}.`,
        `Nothing has changed yet. We try again on ${next}; you can also pay now, or with another card.`,
      ],
      link: { label: 'Pay now', url },
      closing: brand,
    }),
  renewal_suspended: ({ brand, title, reason, amount, attempt, attempts, url }: RenewalFailure) =>
    write({
      subject: `Suspended: ${title}`,
      paragraphs: [
        `We could not renew ${title} for ${amount}: ${reason}. This was attempt ${attempt} of ${attempts}, so it is suspended now.`,
        `Pay within ${GRACE_DAYS} days and it goes on as it was, with the same addresses and data. After that it is removed for good.`,
      ],
      link: { label: 'Pay now', url },
      closing: brand,
    }),
  removal_near: ({ brand, title, on, url }: { brand: string; title: string; on: string; url: string }) =>
    write({
      subject: `Will be removed on ${on}: ${title}`,
      paragraphs: [
        `${title} is suspended because its renewal is not paid. On ${on} it is removed for good, with its data, unless it is paid before.`,
      ],
      link: { label: 'Pay now', url },
      closing: brand,
    }),
  subscription_ended: ({ brand, title, unpaid, url }: { brand: string; title: string; unpaid: boolean; url: string }) =>
    write({
      subject: `Ended: ${title}`,
      paragraphs: [
        unpaid
          ? `The renewal of ${title} was not paid, so it has been removed. Nothing of it will be charged any more.`
          : `${title} has ended, as you asked. Nothing of it will be charged any more.`,
      ],
      link: { label: 'See my subscriptions', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
