// Checkouts: an order of PayPal's that a payer agrees to on its page, and that we capture then.
import { type Clock, HOUR } from '#platform/clock.ts';
import type { Language } from '#platform/language.ts';
import type { PaymentProcessor, PaymentRequest, PaymentState, PaymentStatus } from '../payment-processor.ts';
import { type PayPalClient, PayPalRefusal, isMissing } from './paypal-client.ts';
import { isPayersTrouble } from './paypal-declines.ts';
import { toMinorUnits, toPayPalMoney } from './paypal-money.ts';
import { type PayPalOrder, captureOf, descriptionOf, readOrder, toOrder, unitOf } from './paypal-order.ts';

export type PayPalCheckouts = Required<Pick<PaymentProcessor, 'begin' | 'lookUp' | 'take'>>;

interface CheckoutTerms {
  client: PayPalClient;
  clock: Clock;
  /** As the payer reads it. */
  brand: string;
}

export const createPayPalCheckouts = ({ client, clock, brand }: CheckoutTerms): PayPalCheckouts => ({
  async begin(request) {
    const { orderId, amountMinor, placedAt } = request;
    // PayPal keeps the key for longer than the order: of each hour there is another. One whose answer was lost was shown to nobody.
    const hour = Math.floor((clock.now().getTime() - placedAt.getTime()) / HOUR);
    const requestId = `${orderId}:checkout:${amountMinor}:${hour}`;
    const { id, links } = toOrder(await client.call('POST', '/v2/checkout/orders', { requestId, body: wanted(request, brand) }));
    const page = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
    if (!page) throw new Error(`order ${id} has no page`);
    return { id, url: page.href };
  },

  async lookUp(id) {
    const order = await readOrder(client, id);
    return order && toState(order);
  },

  take: (id) => take(client, id),
});

/**
 * Once however often it is asked for: an order is captured once, and an invoice id paid once. After a decline the same key gives the same answer, so that a
 * means is not tried again before its payer has agreed anew, which changes the order's time.
 */
async function take(client: PayPalClient, id: string): Promise<PaymentState | undefined> {
  const order = await readOrder(client, id);
  if (order?.status !== 'APPROVED') return order && toState(order);
  const requestId = `${id}:capture:${order.update_time ?? ''}`;
  try {
    return toState(toOrder(await client.call('POST', `/v2/checkout/orders/${encodeURIComponent(id)}/capture`, { requestId, body: {} })));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof PayPalRefusal)) throw error;
    if (error.issue === 'ORDER_ALREADY_CAPTURED') return readOrder(client, id).then((now) => now && toState(now));
    // The page stays open: there the payer chooses something else.
    if (isPayersTrouble(error.issue)) return { ...toState(order), status: 'pending' };
    throw error;
  }
}

/** As BCP 47 has it there. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

const wanted = (
  { orderId, title, language, lines, amountMinor, currency, customerId, successUrl, cancelUrl }: PaymentRequest,
  brand: string,
) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: 'checkout',
      custom_id: orderId,
      invoice_id: orderId,
      description: descriptionOf({ title, language }),
      amount: { ...toPayPalMoney(amountMinor, currency), breakdown: { item_total: toPayPalMoney(amountMinor, currency) } },
      items: lines.map((line) => ({
        name: line.label.slice(0, 127),
        quantity: '1',
        unit_amount: toPayPalMoney(line.amountMinor, currency),
        category: 'DIGITAL_GOODS',
      })),
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: brand,
        locale: LOCALES[language],
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: successUrl,
        cancel_url: cancelUrl,
      },
      ...(customerId && {
        attributes: {
          customer: { id: customerId },
          vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', usage_pattern: 'RECURRING_PREPAID' },
        },
      }),
    },
  },
});

/** Of a capture. What was given back of it is the refunds' matter: it was paid. */
const CAPTURED: Readonly<Record<string, PaymentStatus>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'confirming',
  DECLINED: 'failed',
  FAILED: 'failed',
};

function statusOf(order: PayPalOrder): PaymentStatus {
  const capture = captureOf(order);
  if (capture) return CAPTURED[capture.status] ?? 'confirming';
  if (order.status === 'APPROVED') return 'agreed';
  return order.status === 'VOIDED' ? 'failed' : 'pending';
}

export function toState(order: PayPalOrder): PaymentState {
  const { amount, custom_id: orderId = '' } = unitOf(order);
  const paypal = order.payment_source?.paypal;
  const vault = paypal?.attributes?.vault;
  return {
    id: order.id,
    orderId,
    status: statusOf(order),
    amountMinor: toMinorUnits(captureOf(order)?.amount ?? amount),
    currency: amount.currency_code,
    paymentId: captureOf(order)?.id,
    // One that is only APPROVED has no token yet: VAULT.PAYMENT-TOKEN.CREATED says when.
    meansId: vault?.status === 'VAULTED' ? vault.id : undefined,
    meansCountry: paypal?.address?.country_code,
    arrived: undefined,
  };
}
