// The providers that writing and sending mails is given.
import type { Context } from '#platform/context.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Language } from '#platform/language.ts';
import type { Retention } from '../../../schema/retention.ts';
import type { MailData, MailKind, MailTexts } from './domain/mail-kind.ts';
import type { MailFields } from './domain/mail-template.ts';
import type { MailDomain } from './providers/mail-domain.ts';
import type { Attachment, Mailer } from './providers/mailer.ts';
import type { Recipient, Recipients } from './providers/recipients.ts';

export interface MailProviders {
  /** The files that go with a mail, by the mail's data. */
  attachments(ctx: MailContext, data: { invoiceId?: string }): Promise<Attachment[]>;
  brand: string;
  mailer: Mailer;
  /** Undefined: the sandbox receives the mails. */
  mailDomain: MailDomain | undefined;
  /** What each kind of mail says. */
  mails: Readonly<Record<Language, MailTexts>>;
  /** The kinds whose text an operator may write, and what it may say. */
  mailFields: { readonly [Kind in MailKind]?: MailFields };
  /** Data to show each kind of mail with. */
  mailSamples: { readonly [Kind in MailKind]: MailData<Kind> };
  publicUrl: string;
  /** Tells the browsers of an account of what a mail of this kind says, in the transaction of `ctx.em`. */
  pushTo(ctx: MailContext, to: Recipient, kind: string, data: object): Promise<void>;
  recipients: Recipients;
  /** For how many days each kind of data is kept. */
  retention: Retention;
  secrets: Pick<Secrets, 'offers' | 'sealing'>;
  /** The address at which support reads what customers ask for. */
  supportEmail: string;
}

export type MailContext = Context<MailProviders>;
