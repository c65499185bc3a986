// Customers: create, retrieve, update, delete, list (also by e-mail).
import type Stripe from 'stripe';
import { changeBalance } from '../billing/balance.ts';
import { endNow } from '../billing/cancel.ts';
import { isLive } from '../billing/subscription.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { createCustomer, customerDetails, customerInput, findCustomer, mustOwn } from '../customer.ts';
import { mergeMetadata } from '../metadata.ts';
import { route } from '../route.ts';
import { email, fields, fieldsOf, integer, text } from '../shape.ts';

const updateInput = fieldsOf<Stripe.CustomerUpdateParams>()({ email, ...customerDetails, balance: integer() });
const listInput = fieldsOf<Stripe.CustomerListParams>()({ ...datedPageFields, email: text(), test_clock: text() });

export const customerRoutes = [
  route('POST', '/v1/customers', customerInput, ({ books, input }) => createCustomer(books, input)),
  route('GET', '/v1/customers', listInput, ({ books, input }) => {
    // The processor compares e-mail addresses exactly, and lists a test clock's customers only when the clock is named.
    const found = Object.values(books.state.customers).filter(
      (customer) =>
        (input.email === undefined || customer.email === input.email) &&
        customer.test_clock === (input.test_clock ?? null) &&
        (input.created?.(customer.created) ?? true),
    );
    return pageOf('/v1/customers', found, input);
  }),
  route('GET', '/v1/customers/:id', fields({}), ({ books, ids }) => findCustomer(books, ids['id'] ?? '')),
  route('POST', '/v1/customers/:id', updateInput, ({ books, input, ids }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    const { metadata: changes, invoice_settings: settings, balance, ...plain } = input;
    const chosen = settings?.default_payment_method;
    if (chosen) mustOwn(books, customer, chosen, 'invoice_settings[default_payment_method]');
    books.change('customer.updated', customer, () => {
      for (const [name, value] of Object.entries(plain)) Object.assign(customer, { [name]: value === '' ? null : value });
      if (changes !== undefined) customer.metadata = mergeMetadata(customer.metadata, changes);
      if (chosen !== undefined) customer.invoice_settings.default_payment_method = chosen || null;
      if (settings?.footer !== undefined) customer.invoice_settings.footer = settings.footer || null;
      if (balance !== undefined) {
        changeBalance(books, customer, { by: balance - customer.balance, currency: customer.currency ?? 'usd', type: 'adjustment' });
      }
    });
    return customer;
  }),
  // Deletes the customer's data and cards; charges and invoices stay. A subscription that still runs ends at once.
  route('DELETE', '/v1/customers/:id', fields({}), ({ books, ids }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    for (const subscription of Object.values(books.state.subscriptions))
      if (subscription.customer === customer.id && isLive(subscription)) endNow(books, subscription, { prorate: false, invoiceNow: false });
    for (const method of Object.values(books.state.paymentMethods)) if (method.customer === customer.id) method.customer = null;
    delete books.state.customers[customer.id];
    books.emit('customer.deleted', customer);
    return { id: customer.id, object: 'customer', deleted: true };
  }),
];
