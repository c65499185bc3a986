// The port to whoever takes money, in our words; each method has a folder here that implements it. Amounts are integer minor units of the currency
// beside them.
import type { Language } from '#platform/language.ts';
import { fail } from '#platform/errors.ts';
import type { Checkable } from '#platform/vendor-check.ts';
import type { DisputeAnswers, DisputeState, FraudWarning, ProcessorPayment } from './payer-disputes.ts';
import type { ProcessorBalance } from './processor-balance.ts';
import type { ChargeState, RecurringCharges } from './recurring-charges.ts';
import type { Wallet } from './saved-means.ts';

export interface PaymentRequest {
  orderId: string;
  /** How many checkouts of this order are over: a renewal may need several, one after the other. */
  attempt: number;
  email: string | undefined;
  /** What the page is read in. It says by `NO_INVOICE` that it is none. */
  language: Language;
  title: string;
  /** They add up to the amount; none is negative. */
  lines: { label: string; amountMinor: number }[];
  amountMinor: number;
  currency: string;
  /** No page of it was opened before. */
  placedAt: Date;
  /** Until when the order waits. */
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** The account at the processor: what it pays by is saved, to be charged later. */
  customerId: string | undefined;
}

/**
 * What has become of a payment. pending: nothing has been paid; agreed: its payer has agreed to it, and nothing moves before `take` is asked for; partial: less than is asked for has appeared, and more may; confirming: all of it has
 * appeared and is not certain yet; paid: the money is ours; failed: nobody can pay it any more, or, of one that was paid, the money was taken back;
 * disputed: paid, and the payer wants it back from the processor.
 */
export type PaymentStatus = 'pending' | 'agreed' | 'partial' | 'confirming' | 'paid' | 'failed' | 'disputed';

/** What the processor says of a checkout now; the one thing that moves an order. */
export interface PaymentState {
  /** The checkout, as the processor calls it. */
  id: string;
  orderId: string;
  status: PaymentStatus;
  /** What it asks for. */
  amountMinor: number;
  currency: string;
  /** What took the money, where the processor distinguishes it from the checkout. */
  paymentId: string | undefined;
  /** The means that it saved. */
  meansId: string | undefined;
  /** Where the means that paid were issued, as a code of two letters; absent: it is not known. */
  meansCountry?: string | undefined;
  /** Of methods whose money arrives by itself, in parts, and late: always there. */
  arrived: ArrivedMoney | undefined;
}

/** Of the checkout's currency. */
export interface ArrivedMoney {
  /** Confirmed or not. */
  seenMinor: number;
  confirmedMinor: number;
  /** Until when more of it is looked for. */
  watchedUntil: Date;
}

/** What a notice is about, as the processor says now. */
export type Finding =
  | { about: 'payment'; state: PaymentState }
  /** A charge for a period; `periodOf`: the processor's subscription whose period has just ended. */
  | { about: 'charge'; state: ChargeState; periodOf: string | undefined }
  /** Somebody who has paid wants the money back from the processor. */
  | { about: 'dispute'; state: DisputeState }
  /** What was given back of a payment, by whomever: all of it, oldest first. */
  | { about: 'refund'; payment: ProcessorPayment; refunds: readonly KnownRefund[] }
  /** The payer's bank takes a payment for fraud; nobody has asked for the money yet. */
  | { about: 'warning'; state: FraudWarning }
  /** A page where means were to be saved; without `meansId` none were. Of an account of ours, or of what the processor calls one. */
  | { about: 'saved'; owner: { accountId: string } | { customerId: string }; meansId: string | undefined }
  /** Means that their owner has taken back at the processor. */
  | { about: 'removed'; meansId: string };

/** A notice, verified; `objectId` is what to look at. Repeats of a notice have the id of the first. */
export interface Notice {
  id: string;
  type: string;
  objectId: string;
}

/**
 * Why a processor will not give something back. not_refundable: it never takes this payment back; already_refunded: somebody has given it back there;
 * disputed: the payer's bank has the money, or decides about it.
 */
export type RefusalOfRefund = 'not_refundable' | 'already_refunded' | 'disputed';

/**
 * refused: for a reason that is known; failed: the payer's bank has sent it back; unclear: the processor says no, and what that means is for a person to say.
 */
export type RefundState =
  | { id?: string; status: 'sent' }
  | { id?: string; status: 'pending' }
  | { id?: string; status: 'refused'; why: RefusalOfRefund }
  | { id?: string; status: 'failed'; words: string }
  | { id?: string; status: 'unclear'; words: string };

export interface RefundRequest {
  refundId: string;
  paymentId: string;
  amountMinor: number;
  /** How often it has failed there: 0 at first. */
  attempt: number;
}

/** A refund as its processor knows it. */
export interface KnownRefund {
  id: string;
  /** Ours that it was made for; undefined: it was made there, by hand. */
  refundId: string | undefined;
  /** Of ours: which try of it, from 0. */
  attempt: number;
  status: 'sent' | 'pending' | 'failed';
  amountMinor: number;
  currency: string;
  /** Why it failed, in the processor's words. */
  words: string | undefined;
}

/**
 * What was made for a refund of ours at the try that it is at, of all that was given back of its payment: whatever has not failed, since it is tried again after
 * a failure alone; of what has failed, that of this very try.
 */
export function madeFor(
  { refundId, attempt }: Pick<RefundRequest, 'refundId' | 'attempt'>,
  refunds: readonly KnownRefund[],
): KnownRefund | undefined {
  const made = refunds.filter((known) => known.refundId === refundId);
  return made.find(({ status }) => status !== 'failed') ?? made.find((known) => known.attempt === attempt);
}

/** Errors of every method that asks the processor: vendor_unavailable. */
export interface PaymentProcessor {
  /** Opens the page where an order is paid. The same request gives the same page, however often it is asked for. */
  begin(request: PaymentRequest): Promise<{ id: string; url: string }>;
  /** Undefined: the processor has forgotten it, since nobody paid. */
  lookUp(checkoutId: string): Promise<PaymentState | undefined>;
  /** Takes what its payer has agreed to, once, however often it is asked for; absent: the processor takes it by itself. */
  take?(checkoutId: string): Promise<PaymentState | undefined>;
  /** Nobody is to pay it any more. Nothing when it is paid or closed already, and where nothing is taken unless `take` is asked for. */
  close(checkoutId: string): Promise<void>;
  /** The same refund is given back once, however often it is asked for. */
  refund(request: RefundRequest): Promise<RefundState>;
  /** What was given back of a payment, by whomever, oldest first; absent: the processor gives nothing back. */
  refundsOf?(paymentId: string): Promise<KnownRefund[]>;
  /** How payers' disputes are answered; absent: nobody disputes anything there. */
  disputes?: DisputeAnswers;
  /** What its own books say; absent: it keeps none for us. BTCPay Server has none: its coins are in our own wallet. */
  balance?: ProcessorBalance;
  /**
   * `signature`: the values of the method's headers, a line each. Undefined: a notice that concerns nothing of ours. Errors: signature_invalid;
   * route_not_found where there are no notices; vendor_unavailable where the processor's certificate has to be fetched.
   */
  readNotice(body: string, signature: string): Notice | undefined | Promise<Notice | undefined>;
  /** What a notice that was read is about. Undefined: there is nothing to do. */
  lookAt(notice: Pick<Notice, 'type' | 'objectId'>): Promise<Finding | undefined>;
  /**
   * What happened to payments since then without us, as notices would name it: refunds, disputes, warnings. For those whose notices were lost; absent:
   * nothing happens there.
   */
  recent?(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
  /** Where a payer sends the money, in lines; empty: support writes to each. */
  instructions: readonly string[];
  /** How much of what is due may be missing of a payment that came by hand, in minor units; absent: nothing. */
  shortfallOf?: (dueMinor: number) => number;
  /** Whether the processor is set up as we need it; absent: there is none to ask. */
  checks?: Checkable;
  /** What accounts have saved to be charged; absent: nothing is saved. */
  means?: Wallet;
  /** Of a method whose renewals are CHARGED. */
  charges?: RecurringCharges;
}

/** The port of a method without a processor: it opens no page, sends no notices and takes nothing back. */
export const withoutProcessor = (label: string): PaymentProcessor => {
  const none = () => Promise.reject(new Error(`there is no checkout of ${label}`));
  return {
    begin: none,
    lookUp: none,
    close: async () => {},
    refund: async () => ({ status: 'refused', why: 'not_refundable' }),
    readNotice() {
      throw fail('route_not_found');
    },
    lookAt: async () => undefined,
    instructions: [],
  };
};
