// Customers: create, retrieve, update, list (also by e-mail).
import type Stripe from 'stripe';
import type { Books, Cause } from '../books.ts';
import { noSuch } from '../fault.ts';
import { createId, randomCharacters } from '../ids.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { email, fields, fieldsOf, metadata, text } from '../shape.ts';
import { rowOf } from '../state.ts';

const address = fieldsOf<Stripe.AddressParam>()({
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
});
const details = { name: text(256, 'unset'), description: text(350, 'unset'), phone: text(20, 'unset'), address, metadata };
const createInput = fieldsOf<Stripe.CustomerCreateParams>()({ email, ...details });
const updateInput = fieldsOf<Stripe.CustomerUpdateParams>()({ email, ...details });
const listInput = fieldsOf<Stripe.CustomerListParams>()({ ...datedPageFields, email: text() });

export const customerRoutes = [
  route('POST', '/v1/customers', createInput, ({ books, input, cause }) => createCustomer(books, input, cause)),
  route('GET', '/v1/customers', listInput, ({ books, input }) => {
    // The processor compares e-mail addresses letter for letter.
    const found = Object.values(books.state.customers).filter(
      (customer) => (input.email === undefined || customer.email === input.email) && (input.created?.(customer.created) ?? true),
    );
    return pageOf('/v1/customers', found, input);
  }),
  route('GET', '/v1/customers/:id', fields({}), ({ books, ids }) => findCustomer(books, ids['id'] ?? '')),
  route('POST', '/v1/customers/:id', updateInput, ({ books, input, ids, cause }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    const before = structuredClone(customer);
    const { metadata: changes, ...plain } = input;
    for (const [name, value] of Object.entries(plain)) Object.assign(customer, { [name]: value === '' ? null : value });
    if (changes !== undefined) customer.metadata = mergeMetadata(customer.metadata, changes);
    books.emit('customer.updated', customer, cause, changedFields(before, customer));
    return customer;
  }),
];

/** Makes a customer; the checkout page does it too, when its session asks for one. */
export function createCustomer(books: Books, input: ReturnType<typeof createInput>, cause: Cause): Stripe.Customer {
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
    invoice_prefix: randomCharacters(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    name: input.name || null,
    phone: input.phone || null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  books.state.customers[customer.id] = customer;
  books.emit('customer.created', customer, cause);
  return customer;
}

export function findCustomer(books: Books, id: string, param?: string): Stripe.Customer {
  const customer = rowOf(books.state.customers, id);
  if (!customer) throw noSuch('customer', id, param);
  return customer;
}

/** The metadata after a change: an empty value takes its name away, null takes all away. */
export function mergeMetadata(before: Record<string, string>, changes: Record<string, string> | null): Record<string, string> {
  if (changes === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}

function changedFields(before: object, after: object): object {
  const now = new Map(Object.entries(after));
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name))));
}
