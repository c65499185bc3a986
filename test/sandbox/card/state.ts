// Everything the card processor remembers, as plain JSON: each table by id, oldest first.
import type Stripe from 'stripe';
import type { Parcel } from '../courier.ts';
import type { StoredAnswer } from './idempotency.ts';

/** A checkout session with what the API does not show. */
export interface Checkout {
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  /** `payment_intent_data`, for the intent that the first attempt to pay creates. */
  intentData: { description: string | null; metadata: Record<string, string>; receiptEmail: string | null };
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

export interface CardState {
  customers: Record<string, Stripe.Customer>;
  products: Record<string, Stripe.Product>;
  checkouts: Record<string, Checkout>;
  intents: Record<string, Stripe.PaymentIntent>;
  paymentMethods: Record<string, Stripe.PaymentMethod>;
  charges: Record<string, Stripe.Charge>;
  refunds: Record<string, Stripe.Refund>;
  events: Record<string, Stripe.Event>;
  answers: Record<string, StoredAnswer>;
  webhooksUnderWay: Record<string, Parcel>;
}

export const emptyCardState = (): CardState => ({
  customers: {},
  products: {},
  checkouts: {},
  intents: {},
  paymentMethods: {},
  charges: {},
  refunds: {},
  events: {},
  answers: {},
  webhooksUnderWay: {},
});

/** A row by an id that came from outside, which may be anything: also `constructor`. */
export const rowOf = <Row>(table: Record<string, Row>, id: string): Row | undefined => (Object.hasOwn(table, id) ? table[id] : undefined);
