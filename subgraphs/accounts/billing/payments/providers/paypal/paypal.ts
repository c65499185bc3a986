// Payment through PayPal: pages where payers agree, payments that we take then, saved accounts that renewals are charged to. Configured by `PAYPAL_*`.
import { DAY, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { VENDOR_MS, createGuard } from '#platform/vendor-guard.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { HOLDING_ORDERS_MAX, type MethodDefinition } from '../method-definition.ts';
import type { DisputeAnswers } from '../payer-disputes.ts';
import type { Finding, PaymentProcessor } from '../payment-processor.ts';
import { paypalConfiguration, paypalVendor } from './configuration.ts';
import { createPayPalBalance } from './paypal-balance.ts';
import { createPayPalCharges, toCharge } from './paypal-charges.ts';
import { createPayPalCheck } from './paypal-check.ts';
import { createPayPalCheckouts, toState } from './paypal-checkout.ts';
import { type PayPalClient, PayPalTrouble, createPayPalClient } from './paypal-client.ts';
import { createPayPalDisputes } from './paypal-disputes.ts';
import { PAYPAL_HEADERS, createPayPalNotices } from './paypal-notices.ts';
import { type PayPalOrder, orderOfCapture, purposeOf, readCapture, readOrder } from './paypal-order.ts';
import { createPayPalRecent } from './paypal-recent.ts';
import { type PayPalRefunds, createPayPalRefunds } from './paypal-refunds.ts';
import { type PayPalVault, createPayPalVault } from './paypal-vault.ts';

/** Spec is silent: PayPal keeps its page open for three hours; stock waits for less. */
export const PAYPAL_VALID_MS = 60 * MINUTE;
/** How long a page stays open at least, in milliseconds. */
const PAYPAL_OPEN_MS = 30 * MINUTE;
/** An eCheck takes three to six working days, a review up to a few more: https://www.paypal.com/us/cshelp/article/help127. */
const PROMISED_MS = 14 * DAY;

export const paypal = {
  name: 'PAYPAL',
  processor: 'paypal',
  label: 'PayPal',
  paidOutTo: { en: 'the PayPal account that paid it', de: 'auf das PayPal-Konto, das es bezahlt hat' },
  ledger: 'PAYPAL',
  opens: 'PAGE',
  validMs: PAYPAL_VALID_MS,
  opensForMs: PAYPAL_OPEN_MS,
  promisedMs: PROMISED_MS,
  renewal: 'CHARGED',
  refunds: 'SENT',
  // A PayPal account identifies its buyer as a card does, so that its orders hold stock like those by card.
  holdsAs: 'CARD',
  unpaidMax: { account: HOLDING_ORDERS_MAX, address: 30 },
  signatureHeaders: PAYPAL_HEADERS,
  whyNot: () => undefined,
  whyNotRest: () => undefined,
  configuration: paypalConfiguration,
  unavailable: () => fail('paypal_not_available', { field: 'method' }),
  create: createPayPalPayments,
} as const satisfies MethodDefinition;

/** The port to PayPal. Its parts share one guard: what one of them learns of the vendor, all know. */
function createPayPalPayments({ config, vendors, clock, log, metrics }: Platform): PaymentProcessor | undefined {
  const terms = vendors.of(paypalVendor);
  if (!terms) return undefined;
  const isTrouble = (error: unknown) => error instanceof PayPalTrouble;
  const guard = createGuard({ vendor: 'paypal', timeoutMs: VENDOR_MS, isTrouble }, { clock, log, metrics });
  // Payments go on when the app may not read reports.
  const guardReports = createGuard({ vendor: 'paypal reports', timeoutMs: VENDOR_MS, isTrouble }, { clock, log, metrics });
  const client = createPayPalClient(terms, clock);
  const { PUBLIC_URL: publicUrl } = config;
  const brand = commerceConfiguration.of(config).BRAND;
  const checkouts = guard(createPayPalCheckouts({ client, clock, brand }), { hasty: ['begin'] });
  const refunds = guard(createPayPalRefunds(client));
  const disputes = guard(createPayPalDisputes(client));
  const vault = guard(createPayPalVault(client, { brand, publicUrl }), { hasty: ['customer', 'list', 'openPage', 'finish', 'remove'] });
  const notices = guard(createPayPalNotices({ client, clock, terms }), { hasty: ['readNotice'] });
  const looks = guard({ lookAt: (type: string, id: string) => lookAt({ client, refunds, disputes, vault }, type, id) });
  return {
    ...checkouts,
    // There is nothing to close: PayPal takes no money until we capture it, and an order that nobody captures expires there.
    close: async () => {},
    refund: refunds.refund,
    refundsOf: refunds.refundsOf,
    disputes,
    readNotice: notices.readNotice,
    recent: guard(createPayPalRecent(client)).recent,
    lookAt: ({ type, objectId }) => looks.lookAt(type, objectId),
    instructions: [],
    checks: guard(createPayPalCheck(client, { url: terms.url, webhookIds: terms.webhookIds, publicUrl })),
    means: vault,
    charges: guard(createPayPalCharges(client)),
    balance: guardReports(createPayPalBalance(client, clock)),
  };
}

interface Parts {
  client: PayPalClient;
  refunds: PayPalRefunds;
  disputes: DisputeAnswers;
  vault: PayPalVault;
}

/** Asks PayPal for the present state of what a webhook is about. */
async function lookAt({ client, refunds, disputes, vault }: Parts, type: string, id: string): Promise<Finding | undefined> {
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    const state = await disputes.lookUp(id);
    return state && { about: 'dispute', state };
  }
  if (type.startsWith('VAULT.')) return lookAtToken(vault, type, id);
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.')) {
    const found = await refunds.refundsAbout(id);
    return found && { about: 'refund', ...found };
  }
  const order = type.startsWith('CHECKOUT.') ? await readOrder(client, id) : await orderOfCapture(client, await readCapture(client, id));
  return order && toFinding(order);
}

const toFinding = (order: PayPalOrder): Finding =>
  purposeOf(order) === 'renewal'
    ? { about: 'charge', state: toCharge(order), periodOf: undefined }
    : { about: 'payment', state: toState(order) };

async function lookAtToken(vault: PayPalVault, type: string, meansId: string): Promise<Finding | undefined> {
  const customerId = await vault.ownerOf(meansId);
  if (customerId === undefined) return { about: 'removed', meansId };
  return type === 'VAULT.PAYMENT-TOKEN.CREATED' ? { about: 'saved', owner: { customerId }, meansId } : undefined;
}
