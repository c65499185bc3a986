// Payment methods: made from an entered card or a predefined one, and saved with a customer.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { cardRefused, invalid, noSuch } from './fault.ts';
import { createId } from './ids.ts';
import { rowOf } from './state.ts';
import type { EnteredCard, KnownCard } from './state.ts';
import { findTestCard, findTestCardByToken } from './test-cards.ts';
import type { TestCard } from './test-cards.ts';

export const EMPTY_BILLING: Stripe.PaymentMethod.BillingDetails = { address: null, email: null, name: null, phone: null, tax_id: null };

export function createPaymentMethod(
  books: Books,
  card: EnteredCard,
  billing: Partial<Stripe.PaymentMethod.BillingDetails> = {},
): Stripe.PaymentMethod {
  const row = findTestCard(card.number);
  const method: Stripe.PaymentMethod = {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { ...EMPTY_BILLING, ...billing },
    card: {
      brand: row.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: row.decline?.code === 'incorrect_cvc' ? 'fail' : 'pass',
      },
      country: row.country ?? 'US',
      display_brand: row.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: fingerprint(card.number),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [row.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: books.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  books.state.paymentMethods[method.id] = method;
  books.state.cards[method.id] = { number: card.number, setUp: false };
  books.changed();
  return method;
}

/** The method `id`; a predefined one (`pm_card_visa`) becomes a new method each time. */
export function findMethod(books: Books, id: string, param?: string): Stripe.PaymentMethod {
  const ready = findTestCardByToken(id);
  if (ready) return createPaymentMethod(books, { number: ready.number, expMonth: 12, expYear: thisYear(books) + 3 });
  const method = rowOf(books.state.paymentMethods, id);
  if (!method) throw noSuch('PaymentMethod', id, param);
  return method;
}

export const thisYear = (books: Books): number => new Date(books.now() * 1000).getUTCFullYear();

/** What the bank knows about the card. */
export function knownCard(books: Books, method: Stripe.PaymentMethod): KnownCard & { row: TestCard } {
  const known = rowOf(books.state.cards, method.id) ?? { number: '', setUp: false };
  return { ...known, row: findTestCard(known.number) };
}

/** Saves a method with a customer. Throws the bank's refusal, since saving asks the bank. */
export function attach(books: Books, method: Stripe.PaymentMethod, customer: Stripe.Customer): Stripe.PaymentMethod {
  if (method.customer === customer.id) return method;
  if (method.customer !== null) {
    throw invalid(
      'The payment method you provided has already been attached to a customer.',
      'payment_method_unexpected_state',
      'payment_method',
    );
  }
  const { row } = knownCard(books, method);
  if (row.decline && !row.saves) throw cardRefused(row.decline, { payment_method: structuredClone(method) });
  method.customer = customer.id;
  books.emit('payment_method.attached', method);
  return method;
}

/** Removes a method from its customer, and from everywhere that it was the default. */
export function detach(books: Books, method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  const owner = rowOf(books.state.customers, String(method.customer));
  if (!owner) throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
  books.change('payment_method.detached', method, () => {
    method.customer = null;
  });
  if (owner.invoice_settings.default_payment_method === method.id) {
    books.change('customer.updated', owner, () => {
      owner.invoice_settings.default_payment_method = null;
    });
  }
  for (const subscription of Object.values(books.state.subscriptions)) {
    if (subscription.default_payment_method !== method.id) continue;
    books.change('customer.subscription.updated', subscription, () => {
      subscription.default_payment_method = null;
    });
  }
  return method;
}

/** The bank now knows that the shop may charge this card while the customer is absent. */
export function markSetUp(books: Books, method: Stripe.PaymentMethod): void {
  const known = rowOf(books.state.cards, method.id);
  if (known) known.setUp = true;
  books.changed();
}

/** The same value for the same card of any customer; it does not reveal the number. */
function fingerprint(number: string): string {
  let mixed = 0x811c9dc5;
  for (const digit of number) mixed = Math.imul(mixed ^ digit.charCodeAt(0), 0x01000193) >>> 0;
  return mixed.toString(36).padStart(16, 'X');
}
