// Payment by cryptocurrency: an invoice of the crypto processor whose rate holds for an hour, and whose coins come when they come. Configured by
// `CRYPTO_*`.
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { findings } from '#platform/vendor-check.ts';
import { VENDOR_MS, createGuard } from '#platform/vendor-guard.ts';
import { HOLDING_ORDERS_MAX, type MethodDefinition } from '../method-definition.ts';
import type { PaymentProcessor, PaymentState } from '../payment-processor.ts';
import { cryptoConfiguration, cryptoVendor } from './configuration.ts';
import { type CryptoCheckoutState, type CryptoProcessor, CryptoTrouble, createCryptoProcessor } from './crypto-processor.ts';

/** Spec is silent: so long the rate holds and the address is shown. */
export const CRYPTO_VALID_MS = 60 * MINUTE;
/** Spec is silent: so long after that a transaction is still looked for, to be confirmed or to become account credit. */
export const CRYPTO_WATCHED_MS = 3 * DAY;

/**
 * Spec is silent: coins that were seen are looked for so much longer. A transaction that is in no block leaves the memory of Bitcoin nodes after fourteen days
 * (`mempoolexpiry`), so that none is confirmed later.
 */
const UNCONFIRMED_MS = 15 * DAY;

export const crypto = {
  name: 'CRYPTO',
  processor: 'crypto',
  label: { en: 'cryptocurrency', de: 'Kryptowährung' },
  paidOutTo: { en: 'your address, as coins', de: 'an Ihre Adresse, als Kryptowährung' },
  ledger: 'CRYPTO',
  opens: 'PAGE',
  validMs: CRYPTO_VALID_MS,
  renewal: 'ASKED',
  refunds: 'NEVER',
  holdsAs: 'CRYPTO',
  unpaidMax: { account: HOLDING_ORDERS_MAX, address: 15 },
  parts: { watchedMs: CRYPTO_WATCHED_MS, unconfirmedMs: UNCONFIRMED_MS, journal: 'crypto_credited', mail: 'crypto_credited' },
  signatureHeaders: ['btcpay-sig'],
  whyNot: () => undefined,
  whyNotRest: () => undefined,
  configuration: cryptoConfiguration,
  unavailable: () => fail('crypto_not_available', { field: 'method' }),
  create({ config, vendors, clock, log, metrics }: Platform) {
    const terms = vendors.of(cryptoVendor);
    if (!terms) return undefined;
    const isTrouble = (error: unknown) => error instanceof CryptoTrouble;
    const guard = createGuard({ vendor: 'crypto', timeoutMs: VENDOR_MS, isTrouble }, { clock, log, metrics });
    return toPayments(guard(createCryptoProcessor(terms), { hasty: ['openCheckout'], local: ['readNotice'] }), clock, config.PUBLIC_URL);
  },
} as const satisfies MethodDefinition;

const toPayments = (invoices: CryptoProcessor, clock: Clock, publicUrl: string): PaymentProcessor => ({
  begin: ({ orderId, attempt, email, title, language, amountMinor, currency, expiresAt, successUrl }) =>
    invoices.openCheckout({
      reference: referenceOf(orderId, attempt),
      email,
      title,
      language,
      amountMinor,
      currency,
      successUrl,
      minutes: Math.max(1, Math.ceil(Math.min(expiresAt.getTime() - clock.now().getTime(), CRYPTO_VALID_MS) / MINUTE)),
      watchMinutes: CRYPTO_WATCHED_MS / MINUTE,
    }),
  lookUp: async (id) => toState(await invoices.checkout(id)),
  close: invoices.closeCheckout,
  // Nobody knows where coins came from.
  refund: async () => ({ status: 'refused', why: 'not_refundable' }),
  readNotice: invoices.readNotice,
  lookAt: async ({ objectId }) => ({ about: 'payment', state: toState(await invoices.checkout(objectId)) }),
  checks: {
    check: () => findings('key', () => invoices.check(publicUrl)),
    setUp: () => findings('webhook', () => invoices.setUp(publicUrl)),
  },
  instructions: [],
});

/** What the processor knows an order's checkout by: a renewal may need several, one after the other. */
const SEPARATOR = '.';
const referenceOf = (orderId: string, earlier: number): string => (earlier === 0 ? orderId : `${orderId}${SEPARATOR}${earlier}`);
const orderOfReference = (reference: string): string => reference.split(SEPARATOR)[0] ?? '';

const toState = ({ id, reference, status, amountMinor, currency, ...money }: CryptoCheckoutState): PaymentState => ({
  id,
  orderId: orderOfReference(reference),
  status,
  amountMinor,
  currency,
  paymentId: undefined,
  meansId: undefined,
  arrived: { seenMinor: money.seenMinor, confirmedMinor: money.confirmedMinor, watchedUntil: money.watchedUntil },
});
