// Customers: created by a request or a checkout, and found by id.
import type Stripe from 'stripe';
import { changeBalance } from './billing/balance.ts';
import type { Books, Cause } from './books.ts';
import { invalid, noSuch } from './fault.ts';
import { createId, randomCharacters } from './ids.ts';
import { mergeMetadata } from './metadata.ts';
import { attach, findMethod } from './method.ts';
import { email, emptyable, fieldsOf, integer, metadata, text } from './shape.ts';
import { rowOf } from './state.ts';

const address = fieldsOf<Stripe.AddressParam>()({
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
});
export const customerDetails = {
  name: text(256, 'unset'),
  description: text(350, 'unset'),
  phone: text(20, 'unset'),
  address: emptyable(address),
  metadata,
  invoice_prefix: text(12),
  invoice_settings: fieldsOf<Stripe.CustomerUpdateParams.InvoiceSettings>()({
    default_payment_method: text(5000, 'unset'),
    footer: text(5000, 'unset'),
  }),
};
export const customerInput = fieldsOf<Stripe.CustomerCreateParams>()({
  email,
  ...customerDetails,
  balance: integer(),
  payment_method: text(),
  test_clock: text(),
});
/** Creates a customer; the checkout page calls this too, for a session that needs one. */
export function createCustomer(books: Books, input: ReturnType<typeof customerInput>, cause?: Cause): Stripe.Customer {
  if (input.test_clock !== undefined && !rowOf(books.state.testClocks, input.test_clock)) {
    throw noSuch('test_clock', input.test_clock, 'test_clock');
  }
  const customer: Stripe.Customer = {
    id: createId('cus'),
    object: 'customer',
    address: input.address
      ? { city: null, country: null, line1: null, line2: null, postal_code: null, state: null, ...input.address }
      : null,
    balance: 0,
    created: books.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: input.description || null,
    discount: null,
    email: input.email ?? null,
    invoice_prefix: input.invoice_prefix ?? randomCharacters(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: input.invoice_settings?.footer || null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    name: input.name || null,
    next_invoice_sequence: 1,
    phone: input.phone || null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: input.test_clock ?? null,
  };
  const attached = input.payment_method === undefined ? null : findMethod(books, input.payment_method, 'payment_method');
  if (attached) attach(books, attached, customer);
  const chosen = input.invoice_settings?.default_payment_method;
  if (chosen) {
    mustOwn(books, customer, chosen, 'invoice_settings[default_payment_method]');
    customer.invoice_settings.default_payment_method = chosen;
  }
  books.state.customers[customer.id] = customer;
  if (input.balance) changeBalance(books, customer, { by: input.balance, currency: 'usd', type: 'initial' });
  books.emit('customer.created', customer, cause);
  return customer;
}

export function findCustomer(books: Books, id: string, param?: string): Stripe.Customer {
  const customer = rowOf(books.state.customers, id);
  if (!customer) throw noSuch('customer', id, param);
  return customer;
}

/** The payment method `id`, which must belong to the customer. */
export function mustOwn(books: Books, customer: Stripe.Customer, id: string, param: string): Stripe.PaymentMethod {
  const method = findMethod(books, id, param);
  if (method.customer !== customer.id) {
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      'resource_missing',
      param,
    );
  }
  return method;
}
