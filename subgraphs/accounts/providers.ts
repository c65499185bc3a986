// The providers of this subgraph, which reach everything outside it. They are made once per process from the configuration.
import { Resolver } from 'node:dns/promises';
import { HOUR, SECOND } from '#platform/clock.ts';
import type { Config, ConfigPart } from '#platform/config.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { retentionOf } from '#platform/retention.ts';
import { settingStates } from '#platform/setting-state.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { VENDOR_MS, createGuard, vendorsAway } from '#platform/vendor-guard.ts';
import type { AccountsProviders } from './context.ts';
import { attachmentsOf } from './attachments.ts';
import { endPartsOf } from './closers.ts';
import { MAIL_FIELDS } from './mail-fields.ts';
import { MAIL_SAMPLES } from './mail-samples.ts';
import { MAILS } from './mails.ts';
import { createAttempts } from './identity/providers/attempts.ts';
import { createAuthenticator } from './identity/providers/authenticator.ts';
import { chatVendor, identityConfiguration } from './identity/configuration.ts';
import { mailConfiguration, mailVendor } from './mail/configuration.ts';
import { subscriptionConfiguration } from './billing/subscriptions/configuration.ts';
import { identityVendor, riskConfiguration } from './billing/risk/configuration.ts';
import type { OwnRiskProviders } from './billing/risk/context.ts';
import { openAddressCountry } from './billing/risk/providers/address-country.ts';
import { ledgerConfiguration } from './billing/ledger/configuration.ts';
import { ChatTrouble, createChatPlatform } from './identity/providers/chat-platform.ts';
import { financeConfiguration } from './billing/finance/configuration.ts';
import { disputesConfiguration } from './billing/disputes/configuration.ts';
import { cardVendor } from './billing/payments/providers/card/configuration.ts';
import { PAYMENT_METHODS, createPaymentProcessors } from './billing/payments/providers/payment-methods.ts';
import { unsyncSubscriptions } from './billing/subscriptions/entities/billing-subscription.ts';
import { taxConfiguration, vatRegisterVendor } from './billing/tax/configuration.ts';
import { createVatRegister, sellersVatId } from './billing/tax/providers/vat-register.ts';
import { createKeyUse } from './keys/providers/key-use.ts';
import { openLeakedPasswords } from './identity/providers/leaked-passwords.ts';
import { accountWithEmail, openAccount } from './identity/entities/account.ts';
import { createMailDomain } from './mail/providers/mail-domain.ts';
import { MailRefused, createMailer } from './mail/providers/mailer.ts';
import { createPasskeys } from './identity/providers/passkeys.ts';
import { createPasswords } from './identity/providers/passwords.ts';
import { outsideRulesOf } from './webhooks/configuration.ts';
import { type Receivers, createReceivers } from './webhooks/providers/receivers.ts';
import { createSessions } from './identity/providers/sessions.ts';
import { forgetSignedOut } from './push/services/push-devices.ts';
import { memberIn } from './teams/services/members.ts';
import { pushTo } from './push/services/push-messages.ts';

/** The limit for sending one mail. Every step of SMTP has its own limit, and a server may use up each of them. */
const MAIL_MS = 45_000;
/** Spec is silent. A seller that is running answers within tens of milliseconds. */
const STOCK_ANSWER_MS = 5 * SECOND;

/** The configuration that an operator completes before the first sale: the seller, the mail server, and the payment methods. */
const SHOP: readonly ConfigPart[] = [
  commerceConfiguration,
  mailConfiguration,
  ...Object.values(PAYMENT_METHODS).flatMap(({ configuration }) => configuration ?? []),
];

/** The names of the payment processors' guards. */
const PAYMENT_VENDORS: ReadonlySet<string> = new Set(['card', 'crypto', 'paypal']);

/** How accounts are told of things, and where that ends. */
const TOLD = { recipients: { withEmail: accountWithEmail, withId: openAccount }, pushTo, signedOut: forgetSignedOut };

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<AccountsProviders> {
  const { config, clock, log, metrics, secrets, vendors } = platform;
  const { BRAND, SUPPORT_EMAIL, ...commerce } = commerceConfiguration.of(config);
  const renewals = subscriptionConfiguration.of(config);
  const retention = retentionOf(config);
  const parts = { clock, log, metrics };
  const post = createGuard({ vendor: 'mail', timeoutMs: MAIL_MS, isTrouble: (error) => !(error instanceof MailRefused) }, parts);
  const talk = createGuard({ vendor: 'chat', timeoutMs: VENDOR_MS, isTrouble: (error) => error instanceof ChatTrouble }, parts);
  const { MAIL_FROM, MAIL_DKIM_SELECTOR, SMTP_URL } = mailConfiguration.of(config);
  const mailer = post(createMailer(vendors.of(mailVendor), MAIL_FROM), {
    local: ['close'],
  });
  closing(async () => mailer.close());
  const keyUse = createKeyUse(log);
  closing(keyUse.flush);
  const chatTerms = vendors.of(chatVendor);
  const vatTerms = vendors.of(vatRegisterVendor);
  return {
    attachments: attachmentsOf,
    attempts: createAttempts({ em, clock }),
    authenticator: createAuthenticator({ issuer: BRAND, clock }),
    chat:
      chatTerms &&
      talk(createChatPlatform({ terms: chatTerms, publicUrl: config.PUBLIC_URL }), { hasty: ['personOf'], local: ['addressOf'] }),
    endPartsOf,
    memberIn,
    dunning: {
      retryDays: renewals.RENEWAL_RETRY_DAYS,
      graceDays: renewals.RENEWAL_GRACE_DAYS,
      removalNoticeDays: renewals.RENEWAL_REMOVAL_NOTICE_DAYS,
      askedDays: renewals.RENEWAL_ASKED_DAYS,
      remindedDays: renewals.RENEWAL_REMINDER_DAYS,
      noticeDays: renewals.RENEWAL_NOTICE_DAYS,
      longNoticeDays: renewals.RENEWAL_LONG_NOTICE_DAYS,
    },
    disputeFreeze: disputesConfiguration.of(config).DISPUTE_FREEZE,
    keyUse,
    leakedPasswords: openLeakedPasswords(identityConfiguration.of(config).LEAKED_PASSWORDS_FILE, closing),
    mailer,
    mailDomain: SMTP_URL ? createMailDomain(new Resolver(), { from: MAIL_FROM, selector: MAIL_DKIM_SELECTOR }) : undefined,
    mails: MAILS,
    mailFields: MAIL_FIELDS,
    mailSamples: MAIL_SAMPLES,
    passkeys: createPasskeys({ brand: BRAND, publicUrl: config.PUBLIC_URL }),
    passwords: createPasswords(),
    payments: createPaymentProcessors(platform),
    paymentsAway: async () => (await vendorsAway(metrics)).some((vendor) => PAYMENT_VENDORS.has(vendor)),
    receivers: receiversOf(config, BRAND),
    sessions: createSessions(clock, retention),
    retention,
    secrets: { offers: secrets.offers, sealing: secrets.sealing },
    taxRates: commerce.TAX_RATES ?? {},
    // The price of renewals changes with the tax, so their processor is told before the next renewal.
    taxChanged: async (tx, accountId) => void (await unsyncSubscriptions(tx.em, accountId)),
    localCurrency: taxConfiguration.of(config).SELLER_CURRENCY,
    vatRegister: vatTerms && createVatRegister(vatTerms, sellersVatId(commerce.SELLER_COUNTRY, commerce.SELLER_TAX_ID), parts),
    brand: BRAND,
    datev: financeConfiguration.of(config).DATEV,
    publicUrl: config.PUBLIC_URL,
    ...TOLD,
    ...(await riskProviders(platform, closing)),
    settings: SHOP.flatMap((part) => settingStates(config, part)),
    staffDailyLimitMinor: ledgerConfiguration.of(config).STAFF_DAILY_LIMIT * 100,
    staffGrantLimitMinor: ledgerConfiguration.of(config).STAFF_GRANT_LIMIT * 100,
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

async function riskProviders({ config, log, vendors }: Platform, closing: (close: () => Promise<void>) => void): Promise<OwnRiskProviders> {
  const { REVIEW_HOLD_HOURS, GEO_FILE } = riskConfiguration.of(config);
  return {
    reviewHoldMs: REVIEW_HOLD_HOURS * HOUR,
    addressCountry: await openAddressCountry(GEO_FILE, log, closing),
    identityVendor: vendors.of(identityVendor),
  };
}

function receiversOf(config: Config, brand: string): Receivers {
  return createReceivers({ ...outsideRulesOf(config), brand });
}
