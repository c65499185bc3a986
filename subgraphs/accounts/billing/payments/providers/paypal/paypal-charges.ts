// What is charged for each period: PayPal has no invoices of its own for it, so a charge is an order that is captured with what the payer has saved. Nothing is
// taken of one before `pay`, and PayPal forgets it after three hours.
import type { ChargeState, RecurringCharges } from '../recurring-charges.ts';
import { type PayPalClient, PayPalRefusal, isMissing } from './paypal-client.ts';
import { refusedBy } from './paypal-declines.ts';
import { toMinorUnits, toPayPalMoney } from './paypal-money.ts';
import { type PayPalOrder, captureOf, descriptionOf, readOrder, toOrder, unitOf } from './paypal-order.ts';

export const createPayPalCharges = (client: PayPalClient): RecurringCharges => ({
  // There is nothing at PayPal that counts periods: each is asked for by an order of its own.
  upsert: async () => null,
  end: async () => {},
  renewal: async () => undefined,
  leftDrafts: async () => [],

  lookUp: (id) => look(client, id),
  ask: (asked) => ask(client, asked),
  pay: (request) => pay(client, request),

  // Nothing is taken unless `pay` is asked for.
  async giveUp(id) {
    const state = await look(client, id);
    return state.status === 'open' ? { ...state, status: 'void' } : state;
  },
});

async function look(client: PayPalClient, id: string): Promise<ChargeState> {
  const order = await readOrder(client, id);
  return order ? toCharge(order) : { ...NOTHING, id, status: 'void', amountMinor: 0, currency: '' };
}

async function ask(
  client: PayPalClient,
  { orderId, chargeId, amountMinor, currency, title, language }: Parameters<RecurringCharges['ask']>[0],
): Promise<ChargeState> {
  const known = chargeId === undefined ? undefined : await look(client, chargeId);
  if (known && known.status !== 'void' && (known.status !== 'open' || known.amountMinor === amountMinor)) return known;
  const money = toPayPalMoney(amountMinor, currency);
  const description = descriptionOf({ title, language });
  const unit = { reference_id: 'renewal', custom_id: orderId, invoice_id: orderId, description, amount: money };
  // In place of one that is over it is another.
  const requestId = `${orderId}:renewal:${amountMinor}:${chargeId ?? 'first'}`;
  return toCharge(
    toOrder(await client.call('POST', '/v2/checkout/orders', { requestId, body: { intent: 'CAPTURE', purchase_units: [unit] } })),
  );
}

const pay: (client: PayPalClient, request: Parameters<RecurringCharges['pay']>[0]) => ReturnType<RecurringCharges['pay']> = async (
  client,
  { chargeId, meansId, key },
) => {
  const body = { payment_source: { paypal: { vault_id: meansId } } };
  try {
    const { status } = toCharge(
      toOrder(await client.call('POST', `/v2/checkout/orders/${encodeURIComponent(chargeId)}/capture`, { requestId: key, body })),
    );
    if (status === 'paid' || status === 'pending') return { outcome: status };
    return DENIED;
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error;
    const refused = refusedBy(error.issue);
    if (refused) return refused;
    // Paid by somebody else at the same moment.
    if (error.issue !== 'ORDER_ALREADY_CAPTURED' && !isMissing(error)) throw error;
    const { status } = await look(client, chargeId);
    if (status === 'paid' || status === 'pending') return { outcome: status };
    throw error;
  }
};

/** A capture that is there and has failed. */
const DENIED = {
  outcome: 'refused',
  message: 'PayPal has refused the payment.',
  isFinal: false,
  whatToDo: 'ask_bank',
  declineCode: 'capture_declined',
  adviceCode: null,
} as const;

const NOTHING = { paymentId: undefined, url: undefined, subscriptionId: undefined, orderId: undefined } as const;

const CAPTURED: Readonly<Record<string, ChargeState['status']>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'void',
  FAILED: 'void',
};

export function toCharge(order: PayPalOrder): ChargeState {
  const { amount, custom_id: orderId } = unitOf(order);
  const capture = captureOf(order);
  const open = order.status === 'VOIDED' ? 'void' : 'open';
  return {
    ...NOTHING,
    id: order.id,
    status: capture ? (CAPTURED[capture.status] ?? 'pending') : open,
    amountMinor: toMinorUnits(capture?.amount ?? amount),
    currency: amount.currency_code,
    paymentId: capture?.id,
    orderId,
  };
}
