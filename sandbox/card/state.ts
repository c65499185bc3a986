// Everything the card processor remembers, as plain JSON: each table by id, oldest first.
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type Stripe from 'stripe';
import type { Message } from '../sender.ts';

/** A checkout session with what the API does not show. */
export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  /** `payment_intent_data`, for the intent that the first attempt to pay creates. */
  intentData: {
    description: string | null;
    metadata: Record<string, string>;
    receiptEmail: string | null;
    setupFutureUsage: 'off_session' | 'on_session' | null;
  };
  /** `subscription_data`, for the subscription that the payment begins. */
  subscriptionData: {
    description: string | null;
    metadata: Record<string, string>;
    anchor: number | null;
    proration: 'create_prorations' | 'none';
    taxRates: Stripe.TaxRate[];
  };
  createCustomer: boolean;
  alwaysChallenge: boolean;
  /** The card that waits for the customer's confirmation, by its test number. */
  challenged: EnteredCard | null;
}

export interface EnteredCard {
  number: string;
  expMonth: number;
  expYear: number;
}

/** What the bank knows of a saved card and the API does not show. */
export interface KnownCard {
  number: string;
  /** The customer has confirmed with the bank that the shop may charge it later. */
  setUp: boolean;
}

/** What a request with an idempotency key was answered. */
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
  /** What moves the merchant's own money at the processor. */
  merchantEntries: Record<string, Stripe.BalanceTransaction>;
  payouts: Record<string, Stripe.Payout>;
  /** Of them -> the payout that it is a line of. */
  paidOutBy: Record<string, string>;
  /** The last midnight that was looked at, unix seconds; stopped: the merchant's bank has sent one back. */
  payoutSchedule: { lookedAt: number; stopped: boolean };
  webhookEndpoints: Record<string, Stripe.WebhookEndpoint>;
  subscriptions: Record<string, Stripe.Subscription>;
  /** Subscription -> the period's end that `invoice.upcoming` has announced. */
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

/** A row by an id that came from outside, which may be anything: also `constructor`. */
export const rowOf = <Row>(table: Record<string, Row>, id: string): Row | undefined => (Object.hasOwn(table, id) ? table[id] : undefined);
