// Mails to members of staff: about their roles, and what waits for one of them.
import { type MailText, write } from '../../mail/domain/mail-text.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const STAFF_MAILS = {
  staff_roles_changed: ({ brand, roles, url }: { brand: string; roles: string; url: string }) =>
    write({
      subject: `Your roles at the desk of ${brand}`,
      paragraphs: roles
        ? [
            `Your roles at the desk of ${brand} are now: ${roles}.`,
            'They hold at once, in sessions that have passed a second factor. If you did not expect this, ask an owner.',
          ]
        : [`You do not belong to the staff of ${brand} any more: the desk is closed to your account.`],
      ...(roles && { link: { label: 'Open the desk', url } }),
      closing: brand,
    }),
  second_person_asked: ({
    brand,
    what,
    account,
    by,
    until,
    url,
  }: {
    brand: string;
    /** Such as "Credit of 2000.00 USD". */
    what: string;
    account: string;
    /** Who has asked for it. */
    by: string;
    until: string;
    url: string;
  }) =>
    write({
      subject: `Waits for a second person: ${what}`,
      paragraphs: [
        `${by} has asked for this at the desk, for the account ${account}: ${what}.`,
        `It is more than one member of staff may do alone, and has no effect until another one agrees. Without an answer it lapses at ${until}.`,
      ],
      link: { label: 'Open the desk', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
