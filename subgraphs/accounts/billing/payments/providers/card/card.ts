// Payment by card: pages of the card processor, saved cards, and renewals that it charges. Configured by `STRIPE_*`.
import { DAY, MINUTE } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { VENDOR_MS, createGuard } from '#platform/vendor-guard.ts';
import { formatMoney, usd } from '#commerce/money.ts';
import { SMALLEST_CHARGE_MINOR } from '../../../ledger/domain/account-credit.ts';
import { HOLDING_ORDERS_MAX, type MethodDefinition } from '../method-definition.ts';
import type { Finding, PaymentProcessor } from '../payment-processor.ts';
import type { RecurringCharges } from '../recurring-charges.ts';
import { createCardClient, isCardTrouble } from './card-client.ts';
import { createCardBalance } from './card-balance.ts';
import { createCardCheck } from './card-check.ts';
import { type CardDisputes, createCardDisputes } from './card-disputes.ts';
import { type CardProcessor, type CheckoutState, createCardProcessor } from './card-processor.ts';
import { createCardRecent } from './card-recent.ts';
import { type CardRefunds, createCardRefunds } from './card-refunds.ts';
import { cardConfiguration, cardVendor } from './configuration.ts';
import { createCardSubscriptions } from './card-subscriptions.ts';
import { createCardWallet } from './card-wallet.ts';

/** The processor keeps a checkout open for at least 30 minutes; a little more covers the way there. */
export const CHECKOUT_VALID_MS = 35 * MINUTE;
/** How long a page stays open at least: the processor's 30 minutes, and one for the request to get there. */
const CHECKOUT_OPEN_MS = 31 * MINUTE;
/** The slowest debit at the processor is decided after 14 days. */
const PROMISED_MS = 14 * DAY;

export const card = {
  name: 'CARD',
  processor: 'card',
  label: { en: 'card', de: 'Karte' },
  paidOutTo: { en: 'the card that paid it', de: 'auf die Karte, die es bezahlt hat' },
  ledger: 'PROCESSOR',
  opens: 'PAGE',
  validMs: CHECKOUT_VALID_MS,
  opensForMs: CHECKOUT_OPEN_MS,
  promisedMs: PROMISED_MS,
  renewal: 'CHARGED',
  refunds: 'SENT',
  holdsAs: 'CARD',
  unpaidMax: { account: HOLDING_ORDERS_MAX, address: 30 },
  signatureHeaders: ['stripe-signature'],
  whyNot: () => undefined,
  whyNotRest: (leftMinor) =>
    leftMinor > 0 && leftMinor < SMALLEST_CHARGE_MINOR
      ? fail('card_amount_too_small', {
          field: 'method',
          reason: because('card_from', { min: formatMoney(usd(SMALLEST_CHARGE_MINOR)), price: formatMoney(usd(leftMinor)) }),
        })
      : undefined,
  configuration: cardConfiguration,
  unavailable: () => fail('vendor_unavailable'),
  create: createCardPayments,
} as const satisfies MethodDefinition;

/** The port to the card processor. Its parts share one guard: what one of them learns of the vendor, all know. */
function createCardPayments({ config, vendors, clock, log, metrics }: Platform): PaymentProcessor {
  const guard = createGuard({ vendor: 'card', timeoutMs: VENDOR_MS, isTrouble: isCardTrouble }, { clock, log, metrics });
  const terms = vendors.of(cardVendor);
  const stripe = createCardClient(terms);
  const checkouts = guard(
    createCardProcessor({
      stripe,
      webhookSecrets: terms.webhookSecrets,
      clock,
      methods: cardConfiguration.of(config).STRIPE_PAYMENT_METHODS,
    }),
    {
      hasty: ['openCheckout'],
      local: ['readNotice'],
    },
  );
  const charges = guard(createCardSubscriptions(stripe));
  const refunds = guard(createCardRefunds(stripe));
  const disputes = guard(createCardDisputes(stripe));
  return {
    begin: checkouts.openCheckout,
    lookUp: async (id) => toState(await checkouts.checkout(id)),
    close: checkouts.closeCheckout,
    refund: refunds.refund,
    refundsOf: refunds.refundsOf,
    disputes,
    balance: guard(createCardBalance(stripe)),
    checks: guard(createCardCheck(stripe, { secretKey: terms.secretKey, publicUrl: config.PUBLIC_URL })),
    readNotice: checkouts.readNotice,
    lookAt: ({ type, objectId }) => lookAt({ checkouts, charges, refunds, disputes }, type, objectId),
    recent: guard(createCardRecent(stripe)).recent,
    instructions: [],
    means: guard(createCardWallet(stripe), { hasty: ['customer', 'list', 'openPage', 'remove'] }),
    charges,
  };
}

const toState = ({ accountId: _, ...state }: CheckoutState) => ({ ...state, arrived: undefined });

interface Parts {
  checkouts: CardProcessor;
  charges: RecurringCharges;
  refunds: CardRefunds;
  disputes: CardDisputes;
}

/** Asks the processor for the present state of what a webhook is about. */
async function lookAt({ checkouts, charges, refunds, disputes }: Parts, type: string, id: string): Promise<Finding | undefined> {
  if (type.startsWith('invoice.')) return lookAtInvoice(charges, type, id);
  if (type.startsWith('charge.dispute.')) {
    const state = await disputes.lookUp(id);
    return state && { about: 'dispute', state };
  }
  if (type.startsWith('radar.')) {
    const state = await disputes.warning(id);
    return state && { about: 'warning', state };
  }
  if (type.startsWith('charge.') || type.startsWith('refund.')) {
    const found = await refunds.refundsAbout(type, id);
    return found && { about: 'refund', ...found };
  }
  const state = await checkouts.checkout(id);
  return state.accountId
    ? { about: 'saved', owner: { accountId: state.accountId }, meansId: state.meansId }
    : { about: 'payment', state: toState(state) };
}

/** A new invoice means that a period has ended. */
async function lookAtInvoice(charges: RecurringCharges, type: string, id: string): Promise<Finding | undefined> {
  if (type === 'invoice.deleted' || type === 'invoice.upcoming') return undefined;
  const state = await charges.lookUp(id);
  return { about: 'charge', state, periodOf: type === 'invoice.created' ? state.subscriptionId : undefined };
}
