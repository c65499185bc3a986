// What happens at the processor without the shop: acts of payers and their banks, and of the merchant in the processor's dashboard.
import type Stripe from 'stripe';
import { passTime } from './time.ts';
import type { Books } from './books.ts';
import { promise, settleDebit } from './delayed.ts';
import { appeal, decide, escalate, findDispute, openDispute, warnOfFraud } from './dispute.ts';
import type { DisputeTerms } from './dispute.ts';
import { moveBalance } from './merchant-balance.ts';
import { failPayout, findPayout } from './payout.ts';
import { createRefund, failRefund, settleRefund } from './refund.ts';
import type { RefundTerms } from './refund.ts';
import { findCheckout } from './session.ts';
import { rowOf } from './state.ts';

/** A charge can be named by its own id, by its intent's, or by its checkout session's. */
export class Bank {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** The payer disputes the charge. */
  dispute(charged: string, terms: Partial<DisputeTerms> = {}): Stripe.Dispute {
    return openDispute(this.#now(), this.#charge(charged), { reason: 'fraudulent', ...terms });
  }

  escalate(disputeId: string): void {
    escalate(this.#now(), findDispute(this.#books, disputeId));
  }

  /** `fee`: the part of the dispute fee that is returned, in minor units. */
  decide(disputeId: string, outcome: 'won' | 'lost', fee = 0): void {
    decide(this.#now(), findDispute(this.#books, disputeId), outcome, fee);
  }

  /** Appeals a lost dispute; `decide` then ends it again. */
  appeal(disputeId: string): void {
    appeal(this.#now(), findDispute(this.#books, disputeId));
  }

  disputes(): Stripe.Dispute[] {
    return Object.values(this.#books.state.disputes);
  }

  warnOfFraud(charged: string): Stripe.Radar.EarlyFraudWarning {
    return warnOfFraud(this.#now(), this.#charge(charged));
  }

  /** A refund in the processor's dashboard, without a request of the shop. */
  refund(charged: string, terms: RefundTerms = {}): Stripe.Refund {
    return createRefund(this.#now(), this.#charge(charged), terms);
  }

  settleRefund(refundId: string): void {
    settleRefund(this.#now(), this.#refund(refundId));
  }

  /** The card's bank returns a refund, also one that had succeeded. */
  failRefund(refundId: string): void {
    failRefund(this.#now(), this.#refund(refundId));
  }

  /** The customer pays a checkout by debit; the money arrives days later. */
  promiseDebit(sessionId: string): void {
    promise(this.#now(), findCheckout(this.#books, sessionId));
  }

  settleDebit(sessionId: string, succeeded: boolean): void {
    settleDebit(this.#now(), findCheckout(this.#books, sessionId), succeeded);
  }

  /** The entries of the merchant's balance, oldest first. */
  entries(): Stripe.BalanceTransaction[] {
    return Object.values(this.#books.state.merchantEntries);
  }

  payouts(): Stripe.Payout[] {
    return Object.values(this.#books.state.payouts);
  }

  /** The merchant's bank returns a payout, also one that had been paid. */
  failPayout(payoutId: string): void {
    failPayout(this.#now(), findPayout(this.#books, payoutId));
  }

  /** The merchant has entered another bank account, so that payouts resume. */
  changeAccount(): void {
    this.#now().state.payoutSchedule.stopped = false;
    this.#books.changed();
  }

  /** The processor charges the merchant for something besides payments, in minor units. */
  bill(amount: number, description: string): Stripe.BalanceTransaction {
    const bill = { type: 'stripe_fee', category: 'fee', amount: -amount, fee: 0, currency: 'usd', source: null, description } as const;
    const entry = moveBalance(this.#now(), bill);
    this.#books.changed();
    return entry;
  }

  customers(): Stripe.Customer[] {
    return Object.values(this.#books.state.customers);
  }

  #now(): Books {
    passTime(this.#books);
    return this.#books;
  }

  #refund(id: string): Stripe.Refund {
    const refund = rowOf(this.#books.state.refunds, id);
    if (!refund) throw new Error(`No such refund: ${id}`);
    return refund;
  }

  #charge(id: string): Stripe.Charge {
    const { charges, checkouts, intents } = this.#books.state;
    const intent = rowOf(intents, String(rowOf(checkouts, id)?.session.payment_intent ?? id));
    const charge = rowOf(charges, String(intent?.latest_charge ?? id));
    if (!charge) throw new Error(`No such charge: ${id}`);
    return charge;
  }
}
