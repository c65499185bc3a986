// Mails to customers about complaints.
import { write } from '../../mail/domain/mail-text.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const ABUSE_MAILS = {
  abuse_warned: (data: { brand: string; message: string; caseId: string; until: string; writeTo: string }) =>
    write({
      subject: `A complaint about your ${data.brand} account: answer by ${data.until}`,
      paragraphs: [
        `Somebody has complained about what was done through your ${data.brand} account. We wrote down as ${data.caseId}:`,
        data.message,
        `Stop it, and tell us by ${data.until} what happened and what you have done: write to ${data.writeTo} and name ${data.caseId}. Without an answer your account can be suspended.`,
      ],
      closing: data.brand,
    }),
};
