// What billing asks of a processor that charges saved means for each period of a subscription. Its charge for a period is a draft, then asked for,
// then paid or void; some call it an invoice, which here is the customer's alone.
import type { Language } from '#platform/language.ts';
import type { WhatToDo } from '../domain/what-to-do.ts';
import type { OfferLine } from '#commerce/offers.ts';

/** A subscription as it is to be at the processor. */
export interface WantedSubscription {
  id: string;
  /** At the processor; null: to be made. */
  processorId: string | null;
  customerId: string;
  meansId: string;
  title: string;
  /** What each period costs, tax as a line of its own. */
  lines: OfferLine[];
  currency: string;
  months: number;
  periodEnd: Date;
  /** Periods end on its day of the month, at its time of day; on the last day of a month that is too short. */
  anchorAt: Date;
  /** Nothing of it waits for its payment: it may be made anew where it counts from another day. */
  isSettled: boolean;
  /** The next period has not begun, and begins within a period from now: one that is made now is charged for by its drafts only. */
  inTime: boolean;
  cancelAtPeriodEnd: boolean;
}

/** What the processor says of a charge now. pending: it is paid with money that comes days later. */
export interface ChargeState {
  id: string;
  status: 'draft' | 'open' | 'pending' | 'paid' | 'void';
  amountMinor: number;
  currency: string;
  /** What paid it; absent when nothing was due. */
  paymentId: string | undefined;
  /** Where its owner pays or confirms it. */
  url: string | undefined;
  subscriptionId: string | undefined;
  orderId: string | undefined;
}

/** `isFinal`: these means will not be taken, however often they are tried, and trying them again is fined. Codes are the processor's own. */
export interface Refused {
  outcome: 'refused';
  message: string;
  isFinal: boolean;
  whatToDo: WhatToDo;
  declineCode: string | null;
  adviceCode: string | null;
}

export type PayOutcome = { outcome: 'paid' | 'pending' | 'needs_confirmation' } | Refused;

/** Errors of each: vendor_unavailable. */
export interface RecurringCharges {
  /**
   * Makes it or changes it as it is wanted; nothing when it is so already. Returns its id; null when there is none and it is not in time to make one.
   */
  upsert(wanted: WantedSubscription): Promise<string | null>;
  /** Nothing when it has ended already. */
  end(processorId: string): Promise<void>;
  /** The charge for the period that begins then. */
  renewal(processorId: string, periodStart: Date): Promise<ChargeState | undefined>;
  /** Drafts of periods that began by then: nobody has asked for them, since they were paid otherwise. */
  leftDrafts(processorId: string, until: Date): Promise<string[]>;
  lookUp(chargeId: string): Promise<ChargeState>;
  /** Has a charge ask for exactly this, final: the period's own draft, or one of its own when there is none. */
  ask(request: {
    orderId: string;
    customerId: string;
    chargeId: string | undefined;
    amountMinor: number;
    currency: string;
    title: string;
    /** What the page of it is read in. It says by `NO_INVOICE` that it is none. */
    language: Language;
  }): Promise<ChargeState>;
  /** The same key charges once. `attended`: the owner waits for the answer. */
  pay(request: { chargeId: string; meansId: string; key: string; attended: boolean }): Promise<PayOutcome>;
  /** Nobody can pay it any more; one that is paid stays so. */
  giveUp(chargeId: string): Promise<ChargeState>;
}
