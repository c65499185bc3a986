// `expand[]=latest_charge`: replaces ids by their objects, and adds lists that are left out by default.
import { findInvoice } from './billing/invoice.ts';
import { intentOf } from './billing/settle.ts';
import type { Books } from './books.ts';
import { invalid } from './fault.ts';
import { pageOf } from './list.ts';

type Json = Record<string, unknown>;
type Lookup = (books: Books, id: string) => object | undefined;

const customer: Lookup = ({ state }, id) => state.customers[id];
const intent: Lookup = ({ state }, id) => state.intents[id];
const charge: Lookup = ({ state }, id) => state.charges[id];
const paymentMethod: Lookup = ({ state }, id) => state.paymentMethods[id];
const product: Lookup = ({ state }, id) => state.products[id];
const subscription: Lookup = ({ state }, id) => state.subscriptions[id];
const invoice: Lookup = ({ state }, id) => state.invoices[id];
const setup: Lookup = ({ state }, id) => state.setupIntents[id];
const clock: Lookup = ({ state }, id) => state.testClocks[id];
const entry: Lookup = ({ state }, id) => state.balanceTransactions[id];
const refund: Lookup = ({ state }, id) => state.refunds[id];

/** The source of a balance entry, found by its id in any of these tables. */
const source: Lookup = ({ state }, id) => [state.charges, state.refunds, state.disputes, state.payouts].find((table) => id in table)?.[id];
const movement: Lookup = ({ state }, id) => state.merchantEntries[id];

/** From the kind of object and the field with an id to the object of that id. */
const EXPANDABLE: Record<string, Record<string, Lookup>> = {
  'checkout.session': { customer, payment_intent: intent, setup_intent: setup, subscription, invoice },
  payment_intent: { customer, latest_charge: charge, payment_method: paymentMethod },
  setup_intent: { customer, payment_method: paymentMethod },
  customer: { test_clock: clock },
  subscription: { customer, default_payment_method: paymentMethod, latest_invoice: invoice, test_clock: clock },
  invoice: { customer, default_payment_method: paymentMethod, test_clock: clock },
  invoiceitem: { customer, invoice },
  invoice_payment: { invoice },
  credit_note: { customer, invoice, customer_balance_transaction: entry },
  customer_balance_transaction: { customer, invoice },
  balance_transaction: { source },
  payout: { balance_transaction: movement, failure_balance_transaction: movement },
  charge: { customer, payment_intent: intent, balance_transaction: movement },
  refund: { customer, charge, payment_intent: intent, payment_method: paymentMethod, balance_transaction: movement },
  dispute: { charge, payment_intent: intent },
  'radar.early_fraud_warning': { charge, payment_intent: intent },
  payment_method: { customer },
  price: { product },
};

/** The same for objects without a kind inside of others, by the field that contains them. */
const EXPANDABLE_INSIDE: Record<string, Record<string, Lookup>> = {
  invoice_settings: { default_payment_method: paymentMethod },
  subscription_details: { subscription },
  payment: { payment_intent: intent, charge },
  price_details: { price: ({ state }, id) => state.prices[id] },
  refunds: { refund },
};

/** From the kind of object to the lists that are returned only on request. */
const INCLUDABLE: Record<string, Record<string, (books: Books, id: string) => object>> = {
  'checkout.session': {
    line_items: ({ state }, id) => pageOf(`/v1/checkout/sessions/${id}/line_items`, (state.checkouts[id]?.lines ?? []).toReversed(), {}),
  },
  invoice: {
    payments: ({ state }, id) =>
      pageOf(
        '/v1/invoice_payments',
        Object.values(state.invoicePayments).filter((payment) => payment.invoice === id),
        {},
      ),
    confirmation_secret: (books, id) => ({
      type: 'payment_intent',
      client_secret: intentOf(books, findInvoice(books, id))?.client_secret ?? null,
    }),
  },
  charge: {
    refunds: ({ state }, id) =>
      pageOf(
        `/v1/charges/${id}/refunds`,
        Object.values(state.refunds).filter((refund) => refund.charge === id),
        {},
      ),
  },
};

const DEEPEST = 4;

/** A copy of `answer` with every path of `paths` expanded. Throws a fault for a path that cannot be expanded. */
export function expand(books: Books, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer) as Json;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > DEEPEST)
      throw invalid(`You cannot expand more than ${DEEPEST} levels of a property (${path}).`, undefined, 'expand');
    expandInto(books, copy, parts, path);
  }
  return copy;
}

function expandInto(books: Books, object: Json, [field, ...rest]: string[], path: string, inside = ''): void {
  if (field === undefined) return;
  const kind = String(object['object']);
  const lookup = (EXPANDABLE[kind] ?? EXPANDABLE_INSIDE[inside])?.[field];
  const include = INCLUDABLE[kind]?.[field];
  const value = object[field];
  if (lookup && typeof value === 'string') object[field] = structuredClone(lookup(books, value)) ?? value;
  else if (include && value === undefined) object[field] = structuredClone(include(books, String(object['id'])));
  else if (!lookup && !include && (rest.length === 0 || typeof value !== 'object')) {
    throw invalid(`This property cannot be expanded (${path}).`, undefined, 'expand');
  }
  const next = object[field];
  for (const child of Array.isArray(next) ? next : [next]) {
    if (typeof child === 'object' && child !== null) expandInto(books, child as Json, rest, path, field);
  }
}
