// The configuration for sending mails.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { neededVendor } from '#platform/vendors.ts';

export const mailConfiguration = configPart(
  {
    MAIL_FROM: [z.string().min(3).default('Egress <no-reply@egress.example>'), 'sender of all mails'],
    MAIL_DKIM_SELECTOR: [
      z
        .string()
        .regex(/^[\w-]+(\.[\w-]+)*$/, 'must be a name such as mail2026')
        .optional(),
      'selector of the key that the mail server signs with, for doctor to look it up',
    ],
    SMTP_URL: [url('smtp', 'smtps').optional(), 'mail server; without it the sandbox receives the mails'],
  },
  { needed: ['SMTP_URL'] },
);

export interface MailTerms {
  url: string;
  /** The limit in milliseconds for each step of SMTP; absent: 5 s, and 10 s for the answer to a whole mail. */
  timeoutMs?: number;
}

export const mailVendor = neededVendor<MailTerms>({
  name: 'mail',
  configured(config) {
    const { SMTP_URL } = mailConfiguration.of(config);
    return SMTP_URL ? { url: SMTP_URL } : undefined;
  },
  played: (sandbox) => ({ url: `smtp://127.0.0.1:${sandbox.port('smtp')}` }),
});
