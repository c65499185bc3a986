// What every use case of this subgraph is given, and what the outside of it is to them; `providers.ts` makes it.
import type { Context as SharedContext } from '#platform/context.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { MAILS } from './mails.ts';
import type { KeyEnvironment } from './keys/domain/api-key.ts';
import type { Party } from './billing/invoices/domain/invoice.ts';
import type { Attempts } from './identity/providers/attempts.ts';
import type { Authenticator } from './identity/providers/authenticator.ts';
import type { ChatPlatform } from './identity/providers/chat-platform.ts';
import type { PaymentProcessors } from './billing/payments/providers/payment-methods.ts';
import type { KeyUse } from './keys/providers/key-use.ts';
import type { LeakedPasswords } from './identity/providers/leaked-passwords.ts';
import type { Recipients } from './mail/providers/recipients.ts';
import type { Mailer } from './mail/providers/mailer.ts';
import type { Passkeys } from './identity/providers/passkeys.ts';
import type { Passwords } from './identity/providers/passwords.ts';
import type { Sessions } from './identity/providers/sessions.ts';

export interface Providers {
  attempts: Attempts;
  authenticator: Authenticator;
  chat: ChatPlatform | undefined;
  /** What ends with an account, noun by noun. */
  closers: readonly ((tx: Context, accountId: string) => Promise<void>)[];
  keyUse: KeyUse;
  leakedPasswords: LeakedPasswords;
  mailer: Mailer;
  /** What each kind of mail says. */
  mails: typeof MAILS;
  passkeys: Passkeys;
  passwords: Passwords;
  /** Of each way to pay; undefined: it is not configured. */
  payments: PaymentProcessors;
  recipients: Recipients;
  sessions: Sessions;
  secrets: Pick<Secrets, 'offers' | 'sealing'>;
  taxRates: TaxRates;
  brand: string;
  publicUrl: string;
  /** What one member of staff may give away in a day, in minor units. */
  staffDailyLimitMinor: number;
  /** Where support reads what customers ask for. */
  supportEmail: string;
  keyEnvironment: KeyEnvironment;
  /** How long a buyer waits for the seller's word on the stock, in milliseconds. */
  stockAnswerMs: number;
  /** Who stands on invoices as their issuer. */
  seller: Party;
}

export type Context = SharedContext<Providers>;
