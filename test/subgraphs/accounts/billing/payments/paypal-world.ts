// Billing through PayPal, for the test files that import it: places orders, approves them at the sandbox's PayPal, and reads what came of them.
import { afterAll } from 'vitest';
import type { OfferTerms } from '#commerce/offers.ts';
import { newId } from '#platform/ids.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { rowOf } from '../../../../kit/tables.ts';
import { dataOf } from '../../world.ts';
import type { Person } from '../world.ts';
import { type SubscriptionWorld, startSubscriptions } from '../subscriptions/subscription-world.ts';

const PLACE = placeOrder('id status method checkoutUrl total { amountMinor }', 'PAYPAL');
const ORDER = `query ($id: ID!) { order(id: $id) { status method checkoutUrl payments { method amount { amountMinor } }
  refunds { id status destination amount { amountMinor } } invoices { kind total { amountMinor } due { amountMinor } } } }`;

export interface Placed {
  id: string;
  status: string;
  method: string;
  checkoutUrl: string;
}
interface Seen {
  status: string;
  checkoutUrl: string | null;
  payments: { method: string; amount: { amountMinor: number } }[];
  refunds: { id: string; status: string; destination: string; amount: { amountMinor: number } }[];
  invoices: { kind: string; total: { amountMinor: number }; due: { amountMinor: number } }[];
}

async function payPalBilling(world: SubscriptionWorld) {
  const { paypal } = world.sandbox;
  let people = 0;
  const desk = await world.account('desk@example.com', 'STAFF');
  const tryPlace = ({ id, viewer }: Person, terms: Partial<OfferTerms> = {}) =>
    world.ask(viewer, PLACE, { offer: world.offer(id, terms), key: world.newKey() });
  const place = async (person: Person, terms: Partial<OfferTerms> = {}) => dataOf<Placed>(await tryPlace(person, terms), 'orderPlace');
  const buy = async (person: Person, payer: Parameters<typeof paypal.approve>[1] = {}, terms: Partial<OfferTerms> = {}) => {
    const order = await place(person, terms);
    paypal.approve(await world.checkoutOf(order.id), payer);
    await world.settle();
    return order;
  };
  return {
    world,
    paypal,
    desk,
    async someone(): Promise<Person> {
      const person = await world.account(`payer${++people}@example.com`);
      await world.moveTo(person, 'US');
      return person;
    },
    tryPlace,
    place,
    buy,
    look: async ({ viewer }: Person, id: string) => dataOf<Seen>(await world.ask(viewer, ORDER, { id }), 'order'),
    /** The id of PayPal's order for one of our orders. */
    checkoutOf: (id: string) => world.checkoutOf(id),
    /** PayPal's capture for one of our orders, of which there must be exactly one. */
    captureOf(id: string) {
      const [capture, ...more] = paypal
        .captures()
        .filter(({ orderId }) => paypal.orders().some((order) => order.id === orderId && order.unit.custom_id === id));
      if (!capture || more.length > 0) throw new Error(`order ${id} was captured ${more.length + (capture ? 1 : 0)} times`);
      return capture;
    },
    /** Buys a subscription that is delivered, and that renews through the PayPal account `email`. */
    async subscribe(person: Person, email: string) {
      const id = newId('sub', world.clock);
      const order = await buy(person, { email }, world.termsOf({ id }));
      await world.rest();
      return { id, order };
    },
    run: (job: string) => world.platform.queue.runNow(`accounts.${job}`),
    customerOf: (person: Person) =>
      rowOf<{ processor_id: string; default_card_id: string | null }>(world.query, 'accounts.card_customer', {
        account_id: person.id,
        processor: 'paypal',
      }),
  };
}

/** Starts the world for the calling test file, and closes it after its last test. */
export async function startPayPalBilling() {
  const world = await startSubscriptions();
  afterAll(() => world.close());
  return payPalBilling(world);
}
