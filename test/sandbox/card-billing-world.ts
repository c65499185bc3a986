// A shop with a catalogue and a customer with a card, for the tests of subscriptions and invoices.
import type Stripe from 'stripe';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

export interface Shop extends World {
  /** A price of `cents` every `months` months. */
  price(cents: number, months?: number, name?: string): Promise<Stripe.Price>;
  /** A customer with one of the test cards. */
  customer(token?: string, more?: Stripe.CustomerCreateParams): Promise<Stripe.Customer>;
  subscribe(customer: Stripe.Customer, price: Stripe.Price, more?: Partial<Stripe.SubscriptionCreateParams>): Promise<Stripe.Subscription>;
  /** Advances the product's clock and runs everything that is due. */
  pass(seconds: number): void;
  invoiceOf(subscription: Stripe.Subscription): Promise<Stripe.Invoice>;
  /** The types of all events since the last call, in order, without payouts, which occur every day. */
  news(): string[];
}

export async function createShop(): Promise<Shop> {
  const world = await createWorld();
  const { stripe, sandbox, clock } = world;
  let told = 0;
  return {
    ...world,
    async price(cents, months = 1, name = 'Einstein') {
      return stripe.prices.create({
        currency: 'usd',
        unit_amount: cents,
        recurring: { interval: 'month', interval_count: months },
        product_data: { name },
      });
    },
    async customer(token = 'pm_card_visa', more = {}) {
      const made = await stripe.customers.create({ email: 'ada@example.com', ...more });
      const method = await stripe.paymentMethods.attach(token, { customer: made.id });
      return stripe.customers.update(made.id, { invoice_settings: { default_payment_method: method.id } });
    },
    subscribe: (customer, price, more = {}) =>
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], ...more }),
    pass(seconds) {
      clock.advance(seconds * 1000);
      sandbox.card.tick();
    },
    invoiceOf: async (subscription) => {
      const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice.payments'] });
      return latest_invoice as Stripe.Invoice;
    },
    news() {
      const types = sandbox.card
        .events()
        .map((event) => event.type)
        .filter((type) => !type.startsWith('payout.'));
      const fresh = types.slice(told);
      told = types.length;
      return fresh;
    },
  };
}

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;
/** Unix seconds of a UTC date. */
export const at = (iso: string): number => Date.parse(iso) / 1000;
