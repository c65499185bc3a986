// The outside of this subgraph: made once per process from the configuration.
import { SECOND } from '#platform/clock.ts';
import type { Context as SharedContext } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { TaxRates } from '#commerce/tax.ts';
import { createGuard } from '#platform/vendor-guard.ts';
import type { KeyEnvironment } from './keys/domain/api-key.ts';
import type { Party } from './billing/invoices/domain/invoice.ts';
import { type Attempts, createAttempts } from './identity/providers/attempts.ts';
import { type Authenticator, createAuthenticator } from './identity/providers/authenticator.ts';
import { createCardClient, isCardTrouble } from './billing/payments/providers/card-client.ts';
import { type CardProcessor, createCardProcessor } from './billing/payments/providers/card-processor.ts';
import { type CardSubscriptions, createCardSubscriptions } from './billing/subscriptions/providers/card-subscriptions.ts';
import { type CardWallet, createCardWallet } from './billing/payments/providers/card-wallet.ts';
import { type ChatPlatform, ChatTrouble, createChatPlatform } from './identity/providers/chat-platform.ts';
import { type CryptoProcessor, CryptoTrouble, createCryptoProcessor } from './billing/payments/providers/crypto-processor.ts';
import { type KeyUse, createKeyUse } from './keys/providers/key-use.ts';
import { type LeakedPasswords, openLeakedPasswords } from './identity/providers/leaked-passwords.ts';
import { MailRefused, type Mailer, createMailer } from './mail/providers/mailer.ts';
import { type Passkeys, createPasskeys } from './identity/providers/passkeys.ts';
import { type Passwords, createPasswords } from './identity/providers/passwords.ts';
import { type Sessions, createSessions } from './identity/providers/sessions.ts';

export interface Providers {
  attempts: Attempts;
  authenticator: Authenticator;
  cards: CardProcessor;
  cardSubscriptions: CardSubscriptions;
  wallet: CardWallet;
  chat: ChatPlatform | undefined;
  /** Undefined: nobody pays with cryptocurrency. */
  crypto: CryptoProcessor | undefined;
  keyUse: KeyUse;
  leakedPasswords: LeakedPasswords;
  mailer: Mailer;
  passkeys: Passkeys;
  passwords: Passwords;
  sessions: Sessions;
  secrets: Secrets;
  taxRates: TaxRates;
  brand: string;
  publicUrl: string;
  /** What one member of staff may give away in a day, in minor units. */
  staffDailyLimitMinor: number;
  /** Where support reads what customers ask for. */
  supportEmail: string;
  keyEnvironment: KeyEnvironment;
  /** Where transfers go, in lines; empty: support sends it. */
  bank: string[];
  /** How long a buyer waits for the seller's word on the stock, in milliseconds. */
  stockAnswerMs: number;
  /** Who stands on invoices as their issuer. */
  seller: Party;
}

export type Context = SharedContext<Providers>;

/** Milliseconds of one deed at a vendor, which may be several requests. */
const VENDOR_MS = 60_000;
/** Of one mail: every step of SMTP has its own limit, and a server may use each. */
const MAIL_MS = 45_000;
/** Spec is silent: a seller that is there answers within tens of milliseconds. */
const STOCK_ANSWER_MS = 5 * SECOND;

export function createProviders(
  { config, clock, log, metrics, secrets, vendors }: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Providers {
  const parts = { clock, log, metrics };
  const mails = createGuard({ vendor: 'mail', timeoutMs: MAIL_MS, isTrouble: (error) => !(error instanceof MailRefused) }, parts);
  const card = createGuard({ vendor: 'card', timeoutMs: VENDOR_MS, isTrouble: isCardTrouble }, parts);
  const coins = createGuard({ vendor: 'crypto', timeoutMs: VENDOR_MS, isTrouble: (error) => error instanceof CryptoTrouble }, parts);
  const talk = createGuard({ vendor: 'chat', timeoutMs: VENDOR_MS, isTrouble: (error) => error instanceof ChatTrouble }, parts);
  const mailer = mails(createMailer({ smtpUrl: vendors.smtpUrl, from: config.MAIL_FROM, timeoutMs: vendors.smtpTimeoutMs }), {
    local: ['close'],
  });
  closing(async () => mailer.close());
  const keyUse = createKeyUse(log);
  const stripe = createCardClient(vendors.card);
  closing(keyUse.flush);
  return {
    attempts: createAttempts({ em, clock }),
    authenticator: createAuthenticator({ issuer: config.BRAND, clock }),
    cards: card(createCardProcessor({ stripe, webhookSecrets: vendors.card.webhookSecrets, clock }), {
      hasty: ['openCheckout'],
      local: ['readNotice'],
    }),
    cardSubscriptions: card(createCardSubscriptions(stripe)),
    wallet: card(createCardWallet(stripe), { hasty: ['customer', 'cards', 'openCardPage', 'removeCard'] }),
    chat:
      vendors.chat &&
      talk(createChatPlatform({ terms: vendors.chat, publicUrl: config.PUBLIC_URL }), { hasty: ['personOf'], local: ['addressOf'] }),
    crypto: vendors.crypto && coins(createCryptoProcessor(vendors.crypto), { hasty: ['openCheckout'], local: ['readNotice'] }),
    keyUse,
    leakedPasswords: openLeakedPasswords(config.LEAKED_PASSWORDS_FILE, closing),
    mailer,
    passkeys: createPasskeys({ brand: config.BRAND, publicUrl: config.PUBLIC_URL }),
    passwords: createPasswords(),
    sessions: createSessions(clock),
    secrets,
    taxRates: config.TAX_RATES ?? {},
    brand: config.BRAND,
    publicUrl: config.PUBLIC_URL,
    staffDailyLimitMinor: config.STAFF_DAILY_LIMIT * 100,
    supportEmail: config.SUPPORT_EMAIL,
    keyEnvironment: vendors.card.apiUrl === undefined ? 'live' : 'test',
    bank: config.BANK_DETAILS ?? [],
    stockAnswerMs: STOCK_ANSWER_MS,
    seller: {
      name: config.SELLER_NAME,
      address: config.SELLER_ADDRESS,
      country: config.SELLER_COUNTRY ?? null,
      taxId: config.SELLER_TAX_ID ?? null,
      email: config.SUPPORT_EMAIL,
    },
  };
}
