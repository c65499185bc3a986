// The outside of this subgraph: made once per process from the configuration.
import type { Context as SharedContext } from '#shared/context.ts';
import type { Platform } from '#shared/platform.ts';
import type { Secrets } from '#shared/secrets.ts';
import type { KeyEnvironment } from './domain/api-key.ts';
import type { Party } from './domain/invoice.ts';
import { type Attempts, createAttempts } from './providers/attempts.ts';
import { type Authenticator, createAuthenticator } from './providers/authenticator.ts';
import { type CardProcessor, createCardProcessor } from './providers/card-processor.ts';
import { type ChatPlatform, createChatPlatform } from './providers/chat-platform.ts';
import { type KeyUse, createKeyUse } from './providers/key-use.ts';
import { type Mailer, createMailer } from './providers/mailer.ts';
import { type Passkeys, createPasskeys } from './providers/passkeys.ts';
import { type Passwords, createPasswords } from './providers/passwords.ts';
import { type Sessions, createSessions } from './providers/sessions.ts';

export interface Providers {
  attempts: Attempts;
  authenticator: Authenticator;
  cards: CardProcessor;
  chat: ChatPlatform | undefined;
  keyUse: KeyUse;
  mailer: Mailer;
  passkeys: Passkeys;
  passwords: Passwords;
  sessions: Sessions;
  secrets: Secrets;
  brand: string;
  publicUrl: string;
  /** Where support reads what customers ask for. */
  supportEmail: string;
  keyEnvironment: KeyEnvironment;
  /** Who stands on invoices as their issuer. */
  seller: Party;
}

export type Context = SharedContext<Providers>;

export function createProviders(
  { config, clock, log, secrets, vendors }: Platform,
  closing: (close: () => Promise<void>) => void,
): Providers {
  const mailer = createMailer({ smtpUrl: vendors.smtpUrl, from: config.MAIL_FROM });
  closing(async () => mailer.close());
  const keyUse = createKeyUse(log);
  closing(keyUse.flush);
  return {
    attempts: createAttempts(),
    authenticator: createAuthenticator({ issuer: config.BRAND, clock }),
    cards: createCardProcessor({ ...vendors.card, clock }),
    chat: vendors.chat && createChatPlatform({ terms: vendors.chat, publicUrl: config.PUBLIC_URL, log }),
    keyUse,
    mailer,
    passkeys: createPasskeys({ brand: config.BRAND, publicUrl: config.PUBLIC_URL }),
    passwords: createPasswords(),
    sessions: createSessions(clock),
    secrets,
    brand: config.BRAND,
    publicUrl: config.PUBLIC_URL,
    supportEmail: config.SUPPORT_EMAIL,
    keyEnvironment: vendors.card.apiUrl === undefined ? 'live' : 'test',
    seller: {
      name: config.SELLER_NAME,
      address: config.SELLER_ADDRESS,
      country: config.SELLER_COUNTRY ?? null,
      taxId: config.SELLER_TAX_ID ?? null,
      email: config.SUPPORT_EMAIL,
    },
  };
}
