// The port to whoever takes money, in our words; each method has a folder here that implements it. Amounts are integer minor units of the currency
// beside them.
import { fail } from '#platform/errors.ts';
import type { ChargeState, RecurringCharges } from './recurring-charges.ts';
import type { Wallet } from './saved-means.ts';

export interface PaymentRequest {
  orderId: string;
  /** How many checkouts of this order are over: a renewal may need several, one after the other. */
  attempt: number;
  email: string | undefined;
  title: string;
  /** They add up to the amount; none is negative. */
  lines: { label: string; amountMinor: number }[];
  amountMinor: number;
  currency: string;
  /** Until when the order waits. */
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** The account at the processor: what it pays by is saved, to be charged later. */
  customerId: string | undefined;
}

/**
 * What has become of a payment. pending: nothing has been paid; partial: less than is asked for has appeared, and more may; confirming: all of it has
 * appeared and is not certain yet; paid: the money is ours; failed: nobody can pay it any more, or, of one that was paid, the money was taken back;
 * disputed: paid, and the payer wants it back from the processor.
 */
export type PaymentStatus = 'pending' | 'partial' | 'confirming' | 'paid' | 'failed' | 'disputed';

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
  /** A page where means were to be saved; without `meansId` none were. */
  | { about: 'saved'; accountId: string; meansId: string | undefined };

/** A notice, verified; `objectId` is what to look at. Repeats of a notice have the id of the first. */
export interface Notice {
  id: string;
  type: string;
  objectId: string;
}

/** refused: the processor will never give it back this way. */
export interface RefundState {
  id?: string;
  status: 'sent' | 'pending' | 'refused';
}

/** Errors of every method that asks the processor: vendor_unavailable. */
export interface PaymentProcessor {
  /** Opens the page where an order is paid. The same request gives the same page, however often it is asked for. */
  begin(request: PaymentRequest): Promise<{ id: string; url: string }>;
  lookUp(checkoutId: string): Promise<PaymentState>;
  /** Nobody is to pay it any more. Nothing when it is paid or closed already. */
  close(checkoutId: string): Promise<void>;
  /** The same refund is given back once, however often it is asked for. */
  refund(request: { refundId: string; paymentId: string; amountMinor: number }): Promise<RefundState>;
  /** Asks nobody. Undefined: a notice that concerns nothing of ours. Errors: signature_invalid; route_not_found where there are no notices. */
  readNotice(body: string, signature: string): Notice | undefined;
  /** What a notice that was read is about. Undefined: there is nothing to do. */
  lookAt(notice: Pick<Notice, 'type' | 'objectId'>): Promise<Finding | undefined>;
  /** Where a payer sends the money, in lines; empty: support writes to each. */
  instructions: readonly string[];
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
    refund: async () => ({ status: 'refused' }),
    readNotice() {
      throw fail('route_not_found');
    },
    lookAt: async () => undefined,
    instructions: [],
  };
};
