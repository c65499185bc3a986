// PayPal: starts the API, the pages and the webhooks, and provides the controls for tests.
import { Hono } from 'hono';
import type { ApiFaults } from '../api-faults.ts';
import { noDeliveryFaults } from '../sender.ts';
import type { DeliveryFaults } from '../sender.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { type Notifier, type NotifierOptions, notifierOf } from '../notifier.ts';
import { openSnapshot } from '../snapshot.ts';
import { createPayPalApi } from './api.ts';
import { settleWithdrawal, withdraw } from './account.ts';
import { type Books, found, openBooks } from './books.ts';
import { type DisputeTerms, escalate, openDispute, resolve } from './dispute.ts';
import { approve, passTime, settle } from './order.ts';
import { payerBy } from './payer.ts';
import { refundCapture, settleRefund } from './refund.ts';
import { createPayPalSite } from './site.ts';
import {
  type AccountEntry,
  type Capture,
  type Funding,
  type PaymentToken,
  type PayPalDispute,
  type PayPalOrder,
  type PayPalRefund,
  emptyPayPalState,
} from './state.ts';
import { removeToken } from './vault.ts';
import { createWebhooks } from './webhooks.ts';

export interface PayPal extends Strings, Notifier {
  readonly faults: { webhooks: DeliveryFaults; api: ApiFaults };
}

interface Strings {
  /** The payer approves on the page and does not return to the shop. The same e-mail address is the same account. */
  approve(orderId: string, payer?: { email?: string; funding?: Funding }): void;
  /** Sets how this payer's saved account pays from now on. */
  fund(email: string, funding: Funding): void;
  /** A pending payment has arrived, or was refused. */
  settle(captureId: string, status?: 'COMPLETED' | 'DECLINED'): void;
  settleRefund(refundId: string, status?: 'COMPLETED' | 'FAILED'): void;
  /** A refund on PayPal's own pages. `amount`: a decimal; default: the remaining amount. */
  refundByHand(captureId: string, amount?: string): string;
  /** The payer removes the saved agreement in PayPal's settings. */
  removeToken(tokenId: string): void;
  dispute(captureId: string, terms?: DisputeTerms): PayPalDispute;
  escalate(disputeId: string): void;
  resolve(disputeId: string, outcome: Parameters<typeof resolve>[2]): void;
  /** Whether the app has "Transaction Search" enabled. */
  permitReports(may: boolean): void;
  /** Withdraws money from the merchant's account to its bank, `amount` as a decimal; returns the id. */
  withdraw(amount: string, currency?: string): string;
  /** The bank has credited the withdrawal, or returns it. */
  settleWithdrawal(id: string, outcome?: 'TAKEN' | 'SENT_BACK'): void;
  entries(): AccountEntry[];
  /** Processes everything that is due by the clock. Also done once a second, and before every request. */
  tick(): void;
  orders(): PayPalOrder[];
  captures(): Capture[];
  refunds(): PayPalRefund[];
  tokens(): PaymentToken[];
  disputes(): PayPalDispute[];
}

export interface PayPalOptions extends NotifierOptions {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  webhookUrl: () => string;
}

const TICK_MS = 1_000;

export async function startPayPal(options: PayPalOptions): Promise<PayPal> {
  const { clock, random } = options;
  const snapshot = await openSnapshot(options.dataDir, 'paypal', emptyPayPalState());
  const { state } = snapshot;
  const faults = { webhooks: noDeliveryFaults(), api: { next: [], ratios: {} } as ApiFaults };
  const app = new Hono<NodeBindings>();
  const listener = await listen(app, options.host, options.port);
  const url = () => listener.url;
  const webhooks = createWebhooks({ ...options, faults: faults.webhooks, state, changed: snapshot.changed, url });
  const books = openBooks({ state, clock, changed: snapshot.changed, url, onEvent: webhooks.send });
  app.route('/', createPayPalApi({ ...options, books, faults: faults.api, random, webhooks }));
  app.route('/', createPayPalSite(books, options.vendors));
  const ticking = setInterval(() => passTime(books), TICK_MS).unref();
  return {
    ...notifierOf({ listener, sender: webhooks.sender, snapshot, ticking }),
    faults,
    ...stringsOf(books),
  };
}

function stringsOf(books: Books): Strings {
  const { state } = books;
  return {
    approve: (id, { email = 'buyer@paypal.test', funding = 'balance' } = {}) =>
      approve(books, found(state.orders, id), payerBy(books, email, funding).id),
    fund: (email, funding) => void payerBy(books, email, funding),
    settle: (id, status = 'COMPLETED') => settle(books, found(state.captures, id), status),
    settleRefund: (id, status = 'COMPLETED') => settleRefund(books, found(state.refunds, id), status),
    refundByHand(id, value) {
      const capture = found(state.captures, id);
      const { currency_code } = capture.amount;
      const made = refundCapture(books, capture, value === undefined ? {} : { amount: { currency_code, value } });
      return (made as PayPalRefund).id;
    },
    removeToken: (id) => removeToken(books, id),
    dispute: (id, terms) => openDispute(books, found(state.captures, id), terms),
    escalate: (id) => escalate(books, found(state.disputes, id)),
    resolve: (id, outcome) => resolve(books, found(state.disputes, id), outcome),
    permitReports: (may) => void (state.mayReport = may),
    withdraw: (value, currency_code = 'USD') => withdraw(books, { value, currency_code }),
    settleWithdrawal: (id, outcome = 'TAKEN') => settleWithdrawal(books, id, outcome === 'TAKEN'),
    entries: () => [...state.entries],
    tick: () => passTime(books),
    orders: () => Object.values(state.orders),
    captures: () => Object.values(state.captures),
    refunds: () => Object.values(state.refunds),
    tokens: () => Object.values(state.paymentTokens),
    disputes: () => Object.values(state.disputes),
  };
}
