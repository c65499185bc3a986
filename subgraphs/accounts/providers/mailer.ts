// Sends mail over SMTP.
import { createTransport } from 'nodemailer';
import type { MailText } from '../domain/mail-text.ts';

export interface Mailer {
  /** `key` becomes the Message-ID, so that a mail sent twice is seen as one. */
  send(to: string, mail: MailText, key: string): Promise<void>;
  close(): void;
}

export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  const transport = createTransport(smtpUrl, { from, disableFileAccess: true, disableUrlAccess: true } as object);
  return {
    async send(to, { subject, text, html }, key) {
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId: `<${key}@${domain}>` });
    },
    close: () => transport.close(),
  };
}
