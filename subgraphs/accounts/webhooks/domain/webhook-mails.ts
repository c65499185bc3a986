// The mail that says that an end point is disabled.
import { type MailText, write } from '../../mail/domain/mail-text.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const WEBHOOK_MAILS = {
  webhook_disabled: ({
    brand,
    address,
    attempts,
    gone,
    url,
  }: {
    brand: string;
    address: string;
    attempts: number;
    gone: boolean;
    url: string;
  }) =>
    write({
      subject: `${brand} no longer sends events to ${address}`,
      paragraphs: [
        gone
          ? `Your webhook end point ${address} has answered 410: it wants no events any more. It is disabled.`
          : `Your webhook end point ${address} has not taken an event in three days (${attempts} attempts). It is disabled.`,
        `What has happened since is kept for ${WEBHOOKS.keptDays} days: enable the end point again, and it is sent everything that it has missed, in order.`,
      ],
      link: { label: 'See what it answered', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
