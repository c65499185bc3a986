// The card processor's state as plain JSON: each table by id, oldest first.
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type Stripe from 'stripe';
import type { Message } from '../sender.ts';

/** A checkout session with the data that the API does not return. */
export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  /** `payment_intent_data`, for the intent that the first attempt creates. */
  intentData: {
    description: string | null;
    metadata: Record<string, string>;
    receiptEmail: string | null;
    setupFutureUsage: 'off_session' | 'on_session' | null;
  };
  /** `subscription_data`, for the subscription that the payment creates. */
  subscriptionData: {
    description: string | null;
    metadata: Record<string, string>;
    anchor: number | null;
    proration: 'create_prorations' | 'none';
    taxRates: Stripe.TaxRate[];
  };
  createCustomer: boolean;
  alwaysChallenge: boolean;
  /** The card that waits for the customer's authentication, by its test number. */
  challenged: EnteredCard | null;
}

export interface EnteredCard {
  number: string;
  expMonth: number;
  expYear: number;
}

/** What the bank knows about a saved card and the API does not return. */
export interface KnownCard {
  number: string;
  /** The customer has authenticated, so that the shop may charge the card later. */
  setUp: boolean;
}

/** The answer to a request with an idempotency key. */
export interface StoredAnswer {
  path: string;
  bodyHash: string;
  requestId: string;
  status: ContentfulStatusCode;
  body: string;
  headers: Record<string, string>;
  /** Unix seconds. */
  at: number;
}

export interface CardState {
  customers: Record<string, Stripe.Customer>;
  products: Record<string, Stripe.Product>;
  prices: Record<string, Stripe.Price>;
  taxRates: Record<string, Stripe.TaxRate>;
  checkouts: Record<string, Checkout>;
  intents: Record<string, Stripe.PaymentIntent>;
  setupIntents: Record<string, Stripe.SetupIntent>;
  paymentMethods: Record<string, Stripe.PaymentMethod>;
  /** By payment method. */
  cards: Record<string, KnownCard>;
  charges: Record<string, Stripe.Charge>;
  refunds: Record<string, Stripe.Refund>;
  disputes: Record<string, Stripe.Dispute>;
  fraudWarnings: Record<string, Stripe.Radar.EarlyFraudWarning>;
  files: Record<string, Stripe.File>;
  /** The entries of the merchant's balance. */
  merchantEntries: Record<string, Stripe.BalanceTransaction>;
  payouts: Record<string, Stripe.Payout>;
  /** From entry to the payout that contains it. */
  paidOutBy: Record<string, string>;
  /** `lookedAt`: the last midnight that was processed, in unix seconds. `stopped`: the merchant's bank has returned a payout. */
  payoutSchedule: { lookedAt: number; stopped: boolean };
  webhookEndpoints: Record<string, Stripe.WebhookEndpoint>;
  subscriptions: Record<string, Stripe.Subscription>;
  /** From subscription to the end of the period that `invoice.upcoming` has announced. */
  announced: Record<string, number>;
  invoices: Record<string, Stripe.Invoice>;
  invoiceItems: Record<string, Stripe.InvoiceItem>;
  invoicePayments: Record<string, Stripe.InvoicePayment>;
  creditNotes: Record<string, Stripe.CreditNote>;
  balanceTransactions: Record<string, Stripe.CustomerBalanceTransaction>;
  testClocks: Record<string, Stripe.TestHelpers.TestClock>;
  events: Record<string, Stripe.Event>;
  answers: Record<string, StoredAnswer>;
  webhooksUnderWay: Record<string, Message>;
}

export const emptyCardState = (): CardState => ({
  customers: {},
  products: {},
  prices: {},
  taxRates: {},
  checkouts: {},
  intents: {},
  setupIntents: {},
  paymentMethods: {},
  cards: {},
  charges: {},
  refunds: {},
  disputes: {},
  fraudWarnings: {},
  files: {},
  merchantEntries: {},
  payouts: {},
  paidOutBy: {},
  payoutSchedule: { lookedAt: 0, stopped: false },
  webhookEndpoints: {},
  subscriptions: {},
  announced: {},
  invoices: {},
  invoiceItems: {},
  invoicePayments: {},
  creditNotes: {},
  balanceTransactions: {},
  testClocks: {},
  events: {},
  answers: {},
  webhooksUnderWay: {},
});

/** The row with an id from outside, which may be any text, also `constructor`. */
export const rowOf = <Row>(table: Record<string, Row>, id: string): Row | undefined => (Object.hasOwn(table, id) ? table[id] : undefined);
