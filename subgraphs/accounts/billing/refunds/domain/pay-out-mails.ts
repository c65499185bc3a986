// Mails about credit that is paid out.
import type { Language } from '#platform/language.ts';
import { write } from '../../../mail/domain/mail-text.ts';

/** The amount and its parts; each part says in each language where it is sent. */
export interface PaidOutWords {
  brand: string;
  amount: string;
  parts: readonly { to: Readonly<Record<Language, string>>; amount: string }[];
  reason: string;
}

/** kind -> what it needs -> what it says. */
export const PAY_OUT_MAILS = {
  credit_paid_out: ({ brand, amount, parts, reason }: PaidOutWords) =>
    write({
      subject: `${amount} of credit is being paid out`,
      paragraphs: [
        `We pay out ${amount} of your credit: ${reason}`,
        ...parts.map((part) => `${part.amount} to ${part.to.en}.`),
        'It can take up to ten working days until your bank shows it.',
      ],
      closing: brand,
    }),
  pay_out_returned: ({ brand, amount, url }: { brand: string; amount: string; url: string }) =>
    write({
      subject: `${amount} could not be paid out`,
      paragraphs: [
        `What was to be paid out of your credit did not arrive. The ${amount} are your credit again.`,
        'Tell support where it is to go instead.',
      ],
      link: { label: 'See your credit', url },
      closing: brand,
    }),
  credit_waits: ({ brand, amount, account, url }: { brand: string; amount: string; account: string; url: string }) =>
    write({
      subject: `A closed account has ${amount} that no processor gives back`,
      paragraphs: [
        `The account ${account} is closed. ${amount} of its credit came by a way on which no processor gives it back.`,
        'Its owner knows, and writes where it is to go. Pay it out in the account then.',
      ],
      link: { label: 'See the account', url },
      closing: brand,
    }),
};
