// The outside of this subgraph: made once per process from the configuration.
import { SECOND } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { VENDOR_MS, createGuard } from '#platform/vendor-guard.ts';
import type { Providers } from './context.ts';
import { CLOSERS } from './closers.ts';
import { MAILS } from './mails.ts';
import { createAttempts } from './identity/providers/attempts.ts';
import { createAuthenticator } from './identity/providers/authenticator.ts';
import { chatVendor, identityConfiguration } from './identity/configuration.ts';
import { mailConfiguration, mailVendor } from './mail/configuration.ts';
import { supportConfiguration } from './support/configuration.ts';
import { ChatTrouble, createChatPlatform } from './identity/providers/chat-platform.ts';
import { cardVendor } from './billing/payments/providers/card/configuration.ts';
import { createPaymentProcessors } from './billing/payments/providers/payment-methods.ts';
import { createKeyUse } from './keys/providers/key-use.ts';
import { openLeakedPasswords } from './identity/providers/leaked-passwords.ts';
import { emailOf, isUnwanted } from './identity/entities/account.ts';
import { MailRefused, createMailer } from './mail/providers/mailer.ts';
import { createPasskeys } from './identity/providers/passkeys.ts';
import { createPasswords } from './identity/providers/passwords.ts';
import { createSessions } from './identity/providers/sessions.ts';

/** Of one mail: every step of SMTP has its own limit, and a server may use each. */
const MAIL_MS = 45_000;
/** Spec is silent: a seller that is there answers within tens of milliseconds. */
const STOCK_ANSWER_MS = 5 * SECOND;

export function createProviders(platform: Platform, closing: (close: () => Promise<void>) => void, em: () => EntityManager): Providers {
  const { config, clock, log, metrics, secrets, vendors } = platform;
  const { BRAND, SUPPORT_EMAIL, ...commerce } = commerceConfiguration.of(config);
  const parts = { clock, log, metrics };
  const post = createGuard({ vendor: 'mail', timeoutMs: MAIL_MS, isTrouble: (error) => !(error instanceof MailRefused) }, parts);
  const talk = createGuard({ vendor: 'chat', timeoutMs: VENDOR_MS, isTrouble: (error) => error instanceof ChatTrouble }, parts);
  const mailer = post(createMailer(vendors.of(mailVendor), mailConfiguration.of(config).MAIL_FROM), {
    local: ['close'],
  });
  closing(async () => mailer.close());
  const keyUse = createKeyUse(log);
  closing(keyUse.flush);
  const chatTerms = vendors.of(chatVendor);
  return {
    attempts: createAttempts({ em, clock }),
    authenticator: createAuthenticator({ issuer: BRAND, clock }),
    chat:
      chatTerms &&
      talk(createChatPlatform({ terms: chatTerms, publicUrl: config.PUBLIC_URL }), { hasty: ['personOf'], local: ['addressOf'] }),
    closers: CLOSERS,
    keyUse,
    leakedPasswords: openLeakedPasswords(identityConfiguration.of(config).LEAKED_PASSWORDS_FILE, closing),
    mailer,
    mails: MAILS,
    passkeys: createPasskeys({ brand: BRAND, publicUrl: config.PUBLIC_URL }),
    passwords: createPasswords(),
    payments: createPaymentProcessors(platform),
    recipients: { emailOf, isUnwanted },
    sessions: createSessions(clock),
    secrets: { offers: secrets.offers, sealing: secrets.sealing },
    taxRates: commerce.TAX_RATES ?? {},
    brand: BRAND,
    publicUrl: config.PUBLIC_URL,
    staffDailyLimitMinor: supportConfiguration.of(config).STAFF_DAILY_LIMIT * 100,
    supportEmail: SUPPORT_EMAIL,
    keyEnvironment: vendors.of(cardVendor).apiUrl === undefined ? 'live' : 'test',
    stockAnswerMs: STOCK_ANSWER_MS,
    seller: {
      name: commerce.SELLER_NAME,
      address: commerce.SELLER_ADDRESS,
      country: commerce.SELLER_COUNTRY ?? null,
      taxId: commerce.SELLER_TAX_ID ?? null,
      email: SUPPORT_EMAIL,
    },
  };
}
