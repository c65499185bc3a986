// Mails to members of staff about their roles.
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
} satisfies Record<string, (data: never) => MailText>;
