// Sends mail over SMTP.
import { createTransport } from 'nodemailer';
import { type Finding, findings } from '#platform/vendor-check.ts';
import type { MailTerms } from '../configuration.ts';
import { domainOf } from './mail-domain.ts';
import type { MailText } from '../domain/mail-text.ts';

/** A file that goes with a mail. */
export interface Attachment {
  fileName: string;
  contentType: string;
  content: Buffer;
}

export interface Mailer {
  /** `key` becomes the Message-ID, so that a mail that is sent twice is seen as one. Throws MailRefused when the server will never take this mail. */
  send(to: string, mail: MailText, key: string, attachments?: readonly Attachment[]): Promise<void>;
  /** Whether the server takes mails from us. */
  check(): Promise<Finding[]>;
  close(): void;
}

/** The server refuses this mail for good. The message is the server's answer, with its code: RFC 5321, 4.2.1 (5yz: do not repeat). */
export class MailRefused extends Error {}

/** Milliseconds for each step of SMTP. The library's defaults are two minutes to connect, and ten for a server that does not answer. */
const STEP_MS = 5_000;
/** Connections are reused: greeting, TLS and log-in for each mail would take most of the time, and servers limit connections. */
const POOL = { pool: true, maxConnections: 4, idleTimeout: 60_000 };

/**
 * Codes of errors where the server refuses this one mail, its recipient or its content. Others, such as wrong credentials (EAUTH), affect all mails and are the
 * operator's to solve.
 */
const OF_THE_MAIL: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

export function createMailer({ url, timeoutMs = STEP_MS }: MailTerms, from: string): Mailer {
  const domain = domainOf(from) ?? 'localhost';
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, dnsTimeout: timeoutMs, socketTimeout: 2 * timeoutMs };
  const transport = createTransport(
    { url, ...limits, ...POOL } as object,
    { from, disableFileAccess: true, disableUrlAccess: true } as object,
  );
  return {
    async send(to, { subject, text, html }, key, attached = []) {
      const attachments = attached.map(({ fileName: filename, ...file }) => ({ filename, ...file }));
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId: `<${key}@${domain}>`, attachments });
      } catch (error) {
        const { code, responseCode = 0, response } = error as { code?: string; responseCode?: number; response?: string };
        if (responseCode >= 500 && OF_THE_MAIL.has(code)) throw new MailRefused(response ?? String(error), { cause: error });
        throw error;
      }
    },
    check: () =>
      findings('server', async () => {
        await transport.verify();
        return [{ what: 'server', ok: true, words: 'takes mails from us' }];
      }),
    close: () => transport.close(),
  };
}
