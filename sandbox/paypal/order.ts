// What happens to an order: created, approved, captured, expired. Issues are those of `orders.capture-422` and `422` of checkout_orders_v2.json.
import type { z } from 'zod';
import { HOUR } from '#platform/clock.ts';
import { enterCapture, settleEntry } from './account.ts';
import { type Books, found, newId } from './books.ts';
import type { WalletInput, captureInput, orderInput } from './input.ts';
import { unitsOf } from './money.ts';
import { invalid, unprocessable } from './problem.ts';
import { payerOf, showCapture, showOrder } from './shape.ts';
import type { Capture, Funding, Money, PayPalOrder } from './state.ts';
import { makeToken } from './vault.ts';

/** "The API caller has 3 hours (default setting ...) to redirect your payer", and to capture: order.links of the document. */
export const ORDER_LIVES_MS = 3 * HOUR;
/** MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: the number is not published. */
const MAX_ATTEMPTS = 10;

export function makeOrder(books: Books, input: z.output<typeof orderInput>, requestId: string | undefined): object {
  const [given] = input.purchase_units;
  if (!given) throw invalid([{ issue: 'INVALID_ARRAY_MIN_ITEMS', field: '/purchase_units' }]);
  const wallet = input.payment_source?.paypal;
  // "It is mandatory for all single-step create order calls (E.g. Create Order Request with payment source information ...)".
  if (wallet && requestId === undefined) throw invalid([{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }]);
  if (wallet?.vault_id) throw invalid([{ issue: 'NOT_SUPPORTED', field: '/payment_source/paypal/vault_id' }]);
  checkAmount(given);
  const vault = wallet?.attributes?.vault;
  if (vault && vault.store_in_vault !== 'ON_SUCCESS') throw unprocessable('VAULT_INSTRUCTION_REQUIRED');
  const context = wallet?.experience_context;
  if (wallet && !context?.return_url) throw unprocessable('RETURN_URL_REQUIRED');
  if (wallet && !context?.cancel_url) throw unprocessable('CANCEL_URL_REQUIRED');
  const at = books.now();
  const order: PayPalOrder = {
    id: newId(),
    status: wallet ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    createdAt: at,
    updatedAt: at,
    unit: { ...given, reference_id: given.reference_id ?? 'default' },
    returnUrl: context?.return_url,
    cancelUrl: context?.cancel_url,
    hasSource: wallet !== undefined,
    vault: vault && { customerId: wallet?.attributes?.customer?.id },
    payerId: undefined,
    tokenId: undefined,
    captureIds: [],
    attempts: 0,
  };
  books.state.orders[order.id] = order;
  books.changed();
  return showOrder(books, order);
}

/** The parts must add up to the total, in one currency. */
function checkAmount({ amount, items }: z.output<typeof orderInput>['purchase_units'][number]): void {
  const at = '/purchase_units/@reference_id==default/amount';
  const total = unitsOf(amount, at);
  if (total <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', `${at}/value`);
  const { breakdown } = amount;
  const parts = Object.values(breakdown ?? {}).concat((items ?? []).map(({ unit_amount }) => unit_amount));
  if (parts.some(({ currency_code }) => currency_code !== amount.currency_code)) throw unprocessable('MULTI_CURRENCY_ORDER');
  const sumOf = (given: Money | undefined): number => (given ? unitsOf(given, at) : 0);
  if (items && !breakdown?.item_total) throw unprocessable('ITEM_TOTAL_REQUIRED', `${at}/breakdown/item_total`);
  if (items) {
    const sum = items.reduce((all, { unit_amount, quantity }) => all + unitsOf(unit_amount, at) * Number(quantity), 0);
    if (sum !== sumOf(breakdown?.item_total)) throw unprocessable('ITEM_TOTAL_MISMATCH', `${at}/breakdown/item_total`);
  }
  if (breakdown && sumOf(breakdown.item_total) + sumOf(breakdown.tax_total) - sumOf(breakdown.discount) !== total)
    throw unprocessable('AMOUNT_MISMATCH', `${at}/value`);
}

/** Finds an order; those that were not captured in time have expired and are not found. */
export function orderOf(books: Books, id: string | undefined): PayPalOrder {
  passTime(books);
  return found(books.state.orders, id);
}

/** "sends CHECKOUT.PAYMENT-APPROVAL.REVERSED webhook event, initiates a cancellation of the order": developer.paypal.com/v5/checkout/uncaptured-payments */
export function passTime(books: Books): void {
  for (const order of Object.values(books.state.orders)) {
    const endsAt = order.createdAt + ORDER_LIVES_MS;
    if (order.status === 'COMPLETED' || endsAt > books.now()) continue;
    delete books.state.orders[order.id];
    books.changed();
    if (order.status === 'APPROVED')
      books.asOf(endsAt, () =>
        books.emit('CHECKOUT.PAYMENT-APPROVAL.REVERSED', 'checkout-order', { order_id: order.id, purchase_units: [order.unit] }),
      );
  }
}

/** The payer approves on the page; also again after a refusal. */
export function approve(books: Books, order: PayPalOrder, payerId: string): void {
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED');
  Object.assign(order, { status: 'APPROVED', payerId, updatedAt: books.now() });
  books.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', showOrder(books, order));
}

export function captureOrder(books: Books, order: PayPalOrder, { payment_source: source }: z.output<typeof captureInput>): object {
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED');
  const payerId = source ? payerOfToken(books, source.paypal) : order.status === 'APPROVED' ? order.payerId : undefined;
  const payer = payerOf(books, payerId);
  if (!payer) throw unprocessable('ORDER_NOT_APPROVED');
  if (order.attempts >= MAX_ATTEMPTS) throw unprocessable('MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED');
  const { invoice_id: invoice } = order.unit;
  // "Block accidental payments" is on, as by default: an invoice can be paid only once.
  const isPaid = ({ orderId, status }: Capture) => books.state.orders[orderId]?.unit.invoice_id === invoice && status !== 'DECLINED';
  if (invoice !== undefined && Object.values(books.state.captures).some(isPaid)) throw unprocessable('DUPLICATE_INVOICE_ID');
  order.attempts += 1;
  books.changed();
  if (!/^[a-z]/.test(payer.funding)) throw unprocessable(payer.funding);
  const at = books.now();
  order.payerId = payer.id;
  const capture: Capture = {
    id: newId(),
    orderId: order.id,
    ...startOf(payer.funding),
    amount: amountOf(order),
    createdAt: at,
    updatedAt: at,
    refundIds: [],
  };
  books.state.captures[capture.id] = capture;
  order.captureIds.push(capture.id);
  enterCapture(books, capture, source !== undefined);
  Object.assign(order, { status: 'COMPLETED', updatedAt: at });
  if (order.vault) order.tokenId = makeToken(books, { customerId: order.vault.customerId, payerId: payer.id }).id;
  books.emit(`PAYMENT.CAPTURE.${capture.status}`, 'capture', showCapture(books, capture));
  return showOrder(books, order);
}

const amountOf = ({ unit: { amount } }: PayPalOrder): Money => ({ currency_code: amount.currency_code, value: amount.value });

const startOf = (funding: Funding): Pick<Capture, 'status' | 'reason'> =>
  funding === 'balance'
    ? { status: 'COMPLETED', reason: undefined }
    : { status: 'PENDING', reason: funding === 'echeck' ? 'ECHECK' : 'PENDING_REVIEW' };

function payerOfToken({ state }: Books, { vault_id: id }: WalletInput): string {
  const token = id === undefined ? undefined : state.paymentTokens[id];
  if (!token) throw unprocessable('TOKEN_ID_NOT_FOUND', '/payment_source/paypal/vault_id');
  return token.payerId;
}

/** Days later: the payer's bank has paid or refused. */
export function settle(books: Books, capture: Capture, status: 'COMPLETED' | 'DECLINED'): void {
  if (capture.status !== 'PENDING') throw new Error(`capture ${capture.id} is ${capture.status}`);
  Object.assign(capture, { status, reason: undefined, updatedAt: books.now() });
  settleEntry(books, capture);
  // The event for a declined capture: https://developer.paypal.com/api/rest/webhooks/event-names/
  books.emit(status === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED', 'capture', showCapture(books, capture));
}
