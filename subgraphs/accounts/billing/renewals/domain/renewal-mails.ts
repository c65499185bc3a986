// Mails about renewals, and about the consequences when they are not paid.
import { type MailText, write } from '../../../mail/domain/mail-text.ts';
import { type Said, sayIn } from '../../../mail/domain/said.ts';
import type { WhatToDo } from '../../payments/domain/what-to-do.ts';

interface RenewalFailure {
  brand: string;
  title: string;
  reason: Said;
  amount: string;
  attempt: number;
  attempts: number;
  /** How many days it waits for its payment after its suspension. */
  graceDays: number;
  /** The day of the next attempt. */
  next: string;
  /** What the owner can do; absent: unknown. Mails that earlier releases enqueued have an English sentence instead. */
  advice?: WhatToDo | (string & {});
  url: string;
}

/** What the owner can do about a refusal -> how mails say it. */
const WHAT_TO_DO: Readonly<Record<WhatToDo, string>> = {
  other_means: 'Please choose another card, or another way to pay: your bank does not take this one.',
  ask_bank: 'Your bank does not tell us why. Please ask it, or pay with another card.',
  add_money: 'Please make sure that the card covers the amount, or pay with another card.',
  check_details: 'Please add the card again with its present details, or choose another one.',
  wait: 'There is nothing to do: the next attempt may succeed.',
};

export const isWhatToDo = (advice: string): advice is WhatToDo => Object.hasOwn(WHAT_TO_DO, advice);

/** Kind of mail -> a function from the mail's data to its text. */
export const RENEWAL_MAILS = {
  renewal_upcoming: ({
    brand,
    title,
    amount,
    on,
    lastFour,
    url,
  }: {
    brand: string;
    title: string;
    amount: string;
    on: string;
    /** The last four digits of the card; absent: there is none. Null: how it is paid is not said. */
    lastFour?: string | null;
    url: string;
  }) =>
    write({
      subject: `Renews on ${on}: ${title}`,
      paragraphs: [
        lastFour
          ? `On ${on} the next period of ${title} begins. ${amount} will be charged to your card ending in ${lastFour}, less your account credit.`
          : lastFour === null
            ? `On ${on} the next period of ${title} begins. ${amount} will be charged, less your account credit.`
            : `On ${on} the next period of ${title} begins. It costs ${amount}, and there is no card to charge: please add one.`,
        'You can cancel, change the card or pay otherwise until then.',
      ],
      link: { label: 'See my subscriptions', url },
      closing: brand,
    }),
  card_expires: ({
    brand,
    title,
    amount,
    on,
    lastFour,
    expires,
    url,
  }: {
    brand: string;
    title: string;
    amount: string;
    on: string;
    lastFour: string;
    expires: string;
    url: string;
  }) =>
    write({
      subject: `Your card expires before ${title} renews`,
      paragraphs: [
        `On ${on} the next period of ${title} begins and costs ${amount}. Your card ending in ${lastFour} expires in ${expires}, before that day.`,
        'Please choose another card, or add this one again with its new date.',
      ],
      link: { label: 'See my subscriptions', url },
      closing: brand,
    }),
  renewal_due: ({ brand, title, amount, due, url }: { brand: string; title: string; amount: string; due: string; url: string }) =>
    write({
      subject: `To be paid until ${due}: ${title}`,
      paragraphs: [`The next period of ${title} begins on ${due}. It costs ${amount}; the page of the renewal says how to pay.`],
      link: { label: 'Pay the renewal', url },
      closing: brand,
    }),
  renewal_failed: ({ brand, title, reason, amount, attempt, attempts, next, advice, url }: RenewalFailure) =>
    write({
      subject: `Your payment for ${title} failed`,
      paragraphs: [
        `We could not renew ${title} for ${amount}: ${sayIn('en', reason)} This was attempt ${attempt} of ${attempts}.`,
        `Nothing has changed yet. We try again on ${next}; you can also pay now, or with another card.`,
        ...(advice ? [isWhatToDo(advice) ? WHAT_TO_DO[advice] : advice] : []),
      ],
      link: { label: 'Pay now', url },
      closing: brand,
    }),
  renewal_card_refused: ({
    brand,
    title,
    reason,
    amount,
    until,
    url,
  }: {
    brand: string;
    title: string;
    reason: Said;
    amount: string;
    until: string;
    url: string;
  }) =>
    write({
      subject: `Another card is needed for ${title}`,
      paragraphs: [
        `We could not renew ${title} for ${amount}: ${sayIn('en', reason)} We do not try this card again.`,
        `Nothing has changed yet. ${WHAT_TO_DO.other_means} If nothing is paid by ${until}, it is suspended.`,
      ],
      link: { label: 'Pay now', url },
      closing: brand,
    }),
  renewal_suspended: ({ brand, title, reason, amount, attempt, attempts, graceDays, url }: RenewalFailure) =>
    write({
      subject: `Suspended: ${title}`,
      paragraphs: [
        `We could not renew ${title} for ${amount}: ${sayIn('en', reason)} This was attempt ${attempt} of ${attempts}, so it is suspended now.`,
        `Pay within ${graceDays} days and it goes on as it was, with the same addresses and data. After that it is removed for good.`,
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
  subscription_ended_by_support: ({
    brand,
    title,
    reason,
    on,
    url,
  }: {
    brand: string;
    title: string;
    reason: string;
    /** The day on which it ends; null: it has ended. */
    on: string | null;
    url: string;
  }) =>
    write({
      subject: on === null ? `Ended: ${title}` : `Ends on ${on}: ${title}`,
      paragraphs: [
        on === null
          ? `We have ended ${title}, and what it paid for is removed: ${reason}`
          : `We end ${title} on ${on}, with the period that is paid: ${reason}`,
        'Nothing of it will be charged any more.',
      ],
      link: { label: 'See my subscriptions', url },
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
