// Payment by card: pages of the card processor, saved cards, and renewals that it charges. Configured by `STRIPE_*`.
import { MINUTE } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { VENDOR_MS, createGuard } from '#platform/vendor-guard.ts';
import { formatMoney, usd } from '#commerce/money.ts';
import { SMALLEST_CHARGE_MINOR } from '../../../ledger/domain/account-credit.ts';
import { HOLDING_ORDERS_MAX, type MethodDefinition } from '../method-definition.ts';
import type { Finding, PaymentProcessor } from '../payment-processor.ts';
import type { RecurringCharges } from '../recurring-charges.ts';
import { createCardClient, isCardTrouble } from './card-client.ts';
import { type CheckoutState, createCardProcessor } from './card-processor.ts';
import { cardConfiguration, cardVendor } from './configuration.ts';
import { createCardSubscriptions } from './card-subscriptions.ts';
import { createCardWallet } from './card-wallet.ts';

/** The processor keeps a checkout open for at least 30 minutes; a little more covers the way there. */
export const CHECKOUT_VALID_MS = 35 * MINUTE;

export const card = {
  name: 'CARD',
  processor: 'card',
  label: 'card',
  ledger: 'PROCESSOR',
  opens: 'PAGE',
  validMs: CHECKOUT_VALID_MS,
  renewal: 'CHARGED',
  refunds: 'SENT',
  holdsAs: 'CARD',
  unpaidMax: { account: HOLDING_ORDERS_MAX, address: 30 },
  signatureHeader: 'stripe-signature',
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
function createCardPayments({ vendors, clock, log, metrics }: Platform): PaymentProcessor {
  const guard = createGuard({ vendor: 'card', timeoutMs: VENDOR_MS, isTrouble: isCardTrouble }, { clock, log, metrics });
  const terms = vendors.of(cardVendor);
  const stripe = createCardClient(terms);
  const checkouts = guard(createCardProcessor({ stripe, webhookSecrets: terms.webhookSecrets, clock }), {
    hasty: ['openCheckout'],
    local: ['readNotice'],
  });
  const charges = guard(createCardSubscriptions(stripe));
  return {
    begin: checkouts.openCheckout,
    lookUp: async (id) => toState(await checkouts.checkout(id)),
    close: checkouts.closeCheckout,
    refund: checkouts.refund,
    readNotice: checkouts.readNotice,
    lookAt: ({ type, objectId }) =>
      type.startsWith('invoice.')
        ? lookAtInvoice(charges, type, objectId)
        : checkouts
            .checkout(objectId)
            .then((state) =>
              state.accountId
                ? { about: 'saved', accountId: state.accountId, meansId: state.meansId }
                : { about: 'payment', state: toState(state) },
            ),
    instructions: [],
    means: guard(createCardWallet(stripe), { hasty: ['customer', 'list', 'openPage', 'remove'] }),
    charges,
  };
}

const toState = ({ accountId: _, ...state }: CheckoutState) => ({ ...state, arrived: undefined });

/** An invoice that is made means that a period has ended. */
async function lookAtInvoice(charges: RecurringCharges, type: string, id: string): Promise<Finding | undefined> {
  if (type === 'invoice.deleted' || type === 'invoice.upcoming') return undefined;
  const state = await charges.lookUp(id);
  return { about: 'charge', state, periodOf: type === 'invoice.created' ? state.subscriptionId : undefined };
}
