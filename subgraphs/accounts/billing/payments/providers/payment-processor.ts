// The port to payment processors; each payment method implements it in a folder of its own beside this file. Amounts are integer minor units of the
// currency that stands beside them.
import type { Language } from '#platform/language.ts';
import { fail } from '#platform/errors.ts';
import type { Checkable } from '#platform/vendor-check.ts';
import type { DisputeAnswers, DisputeState, FraudWarning, ProcessorPayment } from './payer-disputes.ts';
import type { ProcessorBalance } from './processor-balance.ts';
import type { ChargeState, RecurringCharges } from './recurring-charges.ts';
import type { Wallet } from './saved-means.ts';

export interface PaymentRequest {
  orderId: string;
  /** How many earlier checkouts of this order are closed: a renewal may need several, one after the other. */
  attempt: number;
  email: string | undefined;
  /** The language of the page. In it the page says that it is no invoice (`NO_INVOICE`). */
  language: Language;
  title: string;
  /** They add up to the amount; none is negative. */
  lines: { label: string; amountMinor: number }[];
  amountMinor: number;
  currency: string;
  /** When the order was placed: no page for it can be older. */
  placedAt: Date;
  /** When the order expires. */
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** The account's customer at the processor: the means that it pays by is saved for later charges. */
  customerId: string | undefined;
}

/**
 * The state of a payment. pending: nothing has been paid; agreed: the payer has agreed, and no money moves before `take` is called; partial: less than the
 * amount has arrived, and more may follow; confirming: the whole amount has arrived and is not certain yet; paid: the money is ours; failed: it can no longer
 * be paid, or the money of a paid one was taken back; disputed: it was paid, and the payer asks the processor to return the money.
 */
export type PaymentStatus = 'pending' | 'agreed' | 'partial' | 'confirming' | 'paid' | 'failed' | 'disputed';

/** The present state of a checkout, as its processor reports it. Nothing else changes the state of an order. */
export interface PaymentState {
  /** The processor's id of the checkout. */
  id: string;
  orderId: string;
  status: PaymentStatus;
  /** The amount due. */
  amountMinor: number;
  currency: string;
  /** The processor's id of the payment, where that is not the checkout's. */
  paymentId: string | undefined;
  /** The processor's id of the means that were saved with it. */
  meansId: string | undefined;
  /** The country that issued the means, ISO 3166 alpha-2. Absent: unknown. */
  meansCountry?: string | undefined;
  /** Set for every method whose money may arrive late and in parts (coins, transfers). */
  arrived: ArrivedMoney | undefined;
}

/** In the checkout's currency. */
export interface ArrivedMoney {
  /** What has arrived, confirmed or not. */
  seenMinor: number;
  confirmedMinor: number;
  /** When we stop looking for more. */
  watchedUntil: Date;
}

/** The present state of the thing that a notice is about, as its processor reports it. */
export type Finding =
  | { about: 'payment'; state: PaymentState }
  /** A charge for a period; `periodOf`: the processor's subscription whose period has just ended. */
  | { about: 'charge'; state: ChargeState; periodOf: string | undefined }
  /** A payer asks the processor to return the money. */
  | { about: 'dispute'; state: DisputeState }
  /** All refunds of a payment, also those that were made at the processor by hand; oldest first. */
  | { about: 'refund'; payment: ProcessorPayment; refunds: readonly KnownRefund[] }
  /** The payer's bank suspects fraud; nobody has asked for the money yet. */
  | { about: 'warning'; state: FraudWarning }
  /** A page for saving means was closed; without `meansId` nothing was saved. `owner`: our account, or the processor's customer. */
  | { about: 'saved'; owner: { accountId: string } | { customerId: string }; meansId: string | undefined }
  /** The owner has removed saved means at the processor. */
  | { about: 'removed'; meansId: string };

/** A notice whose signature was verified. `objectId`: the id of the thing that it is about. A repeated notice has the same `id`. */
export interface Notice {
  id: string;
  type: string;
  objectId: string;
}

/**
 * Why a processor refuses a refund. not_refundable: it never refunds this payment; already_refunded: it has been refunded there; disputed: the payer's bank
 * has the money, or decides about it.
 */
export type RefusalOfRefund = 'not_refundable' | 'already_refunded' | 'disputed';

/**
 * The state of a refund. refused: the processor refuses it for a reason that we know; failed: the payer's bank has sent it back; unclear: the processor
 * refuses it for a reason that we do not know, so a person decides.
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
  /** How often the processor has reported it as failed; 0 at first. */
  attempt: number;
}

/** A refund as the processor reports it. */
export interface KnownRefund {
  id: string;
  /** Our refund that it belongs to. Undefined: it was made at the processor, by hand. */
  refundId: string | undefined;
  /** For our refunds: the attempt that it belongs to, from 0. */
  attempt: number;
  status: 'sent' | 'pending' | 'failed';
  amountMinor: number;
  currency: string;
  /** Why it failed, in the processor's words. */
  words: string | undefined;
}

/**
 * Finds, among all refunds of a payment, the one that the processor has made for the present attempt of a refund of ours: one that has not failed, since we
 * only try again after a failure; else the failed one of this attempt.
 */
export function madeFor(
  { refundId, attempt }: Pick<RefundRequest, 'refundId' | 'attempt'>,
  refunds: readonly KnownRefund[],
): KnownRefund | undefined {
  const made = refunds.filter((known) => known.refundId === refundId);
  return made.find(({ status }) => status !== 'failed') ?? made.find((known) => known.attempt === attempt);
}

/** Every method that asks the processor may throw vendor_unavailable. */
export interface PaymentProcessor {
  /** Opens the page where an order is paid. Idempotent: the same request gives the same page. */
  begin(request: PaymentRequest): Promise<{ id: string; url: string }>;
  /** The present state of a checkout. Undefined: nobody paid it, and the processor no longer knows it. */
  lookUp(checkoutId: string): Promise<PaymentState | undefined>;
  /** Collects the money that the payer has agreed to. Idempotent. Absent: the processor collects it by itself. */
  take?(checkoutId: string): Promise<PaymentState | undefined>;
  /** Makes sure that nobody can pay it any more. Does nothing when it is paid or closed already, or when money moves only by `take`. */
  close(checkoutId: string): Promise<void>;
  /** Refunds a payment, or a part of it. Idempotent by `refundId` and `attempt`. */
  refund(request: RefundRequest): Promise<RefundState>;
  /** All refunds of a payment, also those made at the processor by hand; oldest first. Absent: the processor makes no refunds. */
  refundsOf?(paymentId: string): Promise<KnownRefund[]>;
  /** How disputes are answered. Absent: the processor has none. */
  disputes?: DisputeAnswers;
  /** The processor's own books of our money. Absent: it keeps none (BTCPay Server's coins are in our own wallet). */
  balance?: ProcessorBalance;
  /**
   * Verifies and reads a notice. `signature`: the values of the method's headers, one per line. Undefined: it is about nothing of ours. Errors:
   * signature_invalid; route_not_found where there are no notices; vendor_unavailable where the processor's certificate has to be fetched.
   */
  readNotice(body: string, signature: string): Notice | undefined | Promise<Notice | undefined>;
  /** The present state of the thing that a notice is about. Undefined: there is nothing to do. */
  lookAt(notice: Pick<Notice, 'type' | 'objectId'>): Promise<Finding | undefined>;
  /**
   * Refunds, disputes and warnings since that moment that we did not cause, named as notices would name them: some notices are lost. Absent: the processor
   * has none of these.
   */
  recent?(since: Date): Promise<Pick<Notice, 'type' | 'objectId'>[]>;
  /** Lines that tell the payer where to send the money. Empty: support writes to each payer. */
  instructions: readonly string[];
  /** How much of the amount due may be missing when a transfer counts as paid, in minor units. Absent: nothing. */
  shortfallOf?: (dueMinor: number) => number;
  /** Checks that the processor is set up as we need it. Absent: there is no processor to ask. */
  checks?: Checkable;
  /** Means that accounts have saved for later charges. Absent: the method saves none. */
  means?: Wallet;
  /** Set for methods whose renewals are CHARGED. */
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

/** One notice of each object, of a list that begins with the newest: it is enough, since the processor is asked how the object stands now. */
export function newestOfEach<Told extends Pick<Notice, 'objectId'>>(notices: readonly Told[]): Told[] {
  const newest = new Map<string, Told>();
  for (const notice of notices) if (!newest.has(notice.objectId)) newest.set(notice.objectId, notice);
  return [...newest.values()];
}
