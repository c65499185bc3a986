// The card processor: starts the API, the checkout site and the webhooks, and provides the controls for tests.
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import Stripe from 'stripe';
import type { Clock } from '#platform/clock.ts';
import { createSender, noDeliveryFaults } from '../sender.ts';
import type { Sender, DeliveryFaults } from '../sender.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { notifierOf } from '../notifier.ts';
import type { Notifier } from '../notifier.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import type { ProcessorOptions } from '../processor-options.ts';
import { openSnapshot } from '../snapshot.ts';
import type { ApiFaults } from '../api-faults.ts';
import { createCardApi } from './api.ts';
import { authenticate } from './authenticate.ts';
import { Bank } from './bank.ts';
import { passTime } from './time.ts';
import { openBooks } from './books.ts';
import type { Books } from './books.ts';
import { createCheckoutSite } from './checkout.ts';
import { VENDOR } from './checkout-page.ts';
import { toPrice } from './prices.ts';
import { createConfirmSite, createInvoiceSite } from './confirm.ts';
import { completeChallenge, pay } from './payment.ts';
import type { PaymentResult } from './payment.ts';
import { findCheckout } from './session.ts';
import { emptyCardState } from './state.ts';
import type { CardState } from './state.ts';

export interface CardFaults {
  webhooks: DeliveryFaults;
  api: ApiFaults;
}

export interface CardProcessor extends Notifier {
  readonly faults: CardFaults;
  /** Acts of banks, and of the merchant in the processor's dashboard. */
  readonly bank: Bank;
  /** Pays a session as a customer would, passing the bank's challenge. `number` decides what happens; default: 4242... */
  payCheckout(sessionId: string, number?: string): PaymentResult;
  /**
   * Processes everything that is due by the clock: renewals, planned ends, drafts that become final after an hour, expiries. Also done once a second, and before
   * every request.
   */
  tick(): void;
  /** The same, under a name that fits open sessions. */
  expireDue(): void;
  /** The customer passes or fails the authentication of a payment or setup intent. */
  authenticate(intentId: string, passed?: boolean): void;
  /** Makes the bank treat a saved card as this test card, so that a good card is declined or a declined one good again. */
  behave(paymentMethodId: string, number: string): void;
  /** Sets a saved card's expiry to the end of the month before that time. */
  expire(paymentMethodId: string, before: Date): void;
  /** Sends an event's webhook again, as the real processor's support can. */
  redeliver(eventId: string): Promise<void>;
  /** All charges, including failed ones, oldest first. */
  charges(): Stripe.Charge[];
  refunds(): Stripe.Refund[];
  subscriptions(): Stripe.Subscription[];
  invoices(): Stripe.Invoice[];
  sessions(): Stripe.Checkout.Session[];
  events(): Stripe.Event[];
}

const TICK_MS = 1_000;

export async function startCardProcessor(options: ProcessorOptions): Promise<CardProcessor> {
  const { clock, random } = options;
  const snapshot = await openSnapshot(options.dataDir, 'card', emptyCardState());
  const { state } = snapshot;
  const faults: CardFaults = { webhooks: noDeliveryFaults(), api: { next: [], ratios: {} } };
  const app = new Hono<NodeBindings>();
  const listener = await listen(app, options.host, options.port);
  const sender = createWebhooks(options, { faults: faults.webhooks, state, changed: snapshot.changed });
  const send = (event: Stripe.Event): Promise<unknown> =>
    sender.send({ id: event.id, kind: event.type, body: JSON.stringify(event, null, 2) });
  const books = openBooks({
    state,
    clock,
    changed: snapshot.changed,
    url: () => listener.url,
    webhookUrl: options.webhookUrl,
    onEvent: (event) => void send(event),
  });
  app.route('/v1', createCardApi({ books, apiKey: options.apiKey, faults: faults.api, random }));
  app.route('/c/pay', createCheckoutSite(books));
  app.route('/c/confirm', createConfirmSite(books));
  app.route('/i', createInvoiceSite(books));
  app.get('/', (c) => showCharges(c, state, options.vendors()));
  const ticking = setInterval(() => passTime(books), TICK_MS).unref();
  return {
    ...notifierOf({ listener, sender, snapshot, ticking }),
    faults,
    bank: new Bank(books),
    ...customersOf(books, clock),
    ...recordsOf(state),
    tick: () => passTime(books),
    expireDue: () => passTime(books),
    async redeliver(eventId) {
      const event = state.events[eventId];
      if (!event) throw new Error(`No such event: ${eventId}`);
      await send(event);
    },
  };
}

/** Sends events as webhooks, signed in the processor's way. */
const createWebhooks = (
  { clock, random, retry, webhookUrl, webhookSecret }: ProcessorOptions,
  { faults, state, changed }: { faults: DeliveryFaults; state: CardState; changed: () => void },
): Sender =>
  createSender({
    clock,
    random,
    faults,
    retry,
    address: webhookUrl,
    underWay: state.webhooksUnderWay,
    changed,
    sign: (payload, forged) => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({
        payload,
        secret: forged ? 'whsec_forged' : webhookSecret,
        timestamp: Math.floor(clock.now().getTime() / 1000),
      }),
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    }),
    onAcknowledged(eventId) {
      const event = state.events[eventId];
      if (event) event.pending_webhooks = 0;
    },
  });

async function showCharges(c: Context<NodeBindings>, state: CardState, vendors: VendorUrls): Promise<Response> {
  const charges = Object.values(state.charges).toReversed().slice(0, 50);
  const statusOf = (charge: Stripe.Charge): string => (charge.disputed ? 'disputed' : charge.refunded ? 'refunded' : charge.status);
  const body = html`
    <p class="quiet">The last charges. A checkout page opens from the shop.</p>
    ${table({
      columns: ['Charge', 'Status', 'Amount'],
      rows: charges.map((charge) => [html`<code>${charge.id}</code>`, statusOf(charge), toPrice(charge.amount, charge.currency)]),
    })}
    ${vendorLinks(vendors)}
  `;
  return c.html(await page({ vendor: VENDOR, title: 'Payments', body }), 200, pageHeaders);
}

/** Acts of customers. */
const customersOf = (books: Books, clock: Clock): Pick<CardProcessor, 'payCheckout' | 'authenticate' | 'behave' | 'expire'> => ({
  payCheckout(sessionId, number = '4242424242424242') {
    passTime(books);
    const checkout = findCheckout(books, sessionId);
    const card = { number, expMonth: 12, expYear: clock.now().getUTCFullYear() + 3 };
    const result = pay(books, checkout, card, 'customer@example.com');
    return result.outcome === 'challenge' ? completeChallenge(books, checkout, true) : result;
  },
  authenticate(intentId, passed = true) {
    authenticate(books, intentId, passed);
  },
  behave(paymentMethodId, number) {
    const card = books.state.cards[paymentMethodId];
    if (!card) throw new Error(`No such payment method: ${paymentMethodId}`);
    card.number = number;
    books.changed();
  },
  expire(paymentMethodId, before) {
    const card = books.state.paymentMethods[paymentMethodId]?.card;
    if (!card) throw new Error(`No such payment method: ${paymentMethodId}`);
    const last = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 0));
    Object.assign(card, { exp_month: last.getUTCMonth() + 1, exp_year: last.getUTCFullYear() });
    books.changed();
  },
});

const recordsOf = (
  state: CardState,
): Pick<CardProcessor, 'charges' | 'refunds' | 'subscriptions' | 'invoices' | 'sessions' | 'events'> => ({
  charges: () => Object.values(state.charges),
  refunds: () => Object.values(state.refunds),
  subscriptions: () => Object.values(state.subscriptions),
  invoices: () => Object.values(state.invoices),
  sessions: () => Object.values(state.checkouts).map((checkout) => checkout.session),
  events: () => Object.values(state.events),
});
