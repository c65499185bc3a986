// What billing needs of a processor that charges saved means for each period of a subscription. A charge for a period is first a draft, then due,
// then paid or void. Some processors call it an invoice; here that word means only what our customer gets.
import type { Language } from '#platform/language.ts';
import type { WhatToDo } from '../domain/what-to-do.ts';
import type { OfferLine } from '#commerce/offers.ts';

/** A subscription as it is to be at the processor. */
export interface WantedSubscription {
  id: string;
  /** The processor's id of the subscription; null: it does not exist there yet. */
  processorId: string | null;
  customerId: string;
  meansId: string;
  title: string;
  /** The price of each period; tax is a line of its own. */
  lines: OfferLine[];
  currency: string;
  months: number;
  periodEnd: Date;
  /** Periods end on its day of the month, at its time of day; on the last day of a month that is too short. */
  anchorAt: Date;
  /** None of its charges waits for payment, so that the processor may make it anew with another anchor. */
  isSettled: boolean;
  /** The next period has not begun, and begins within a period from now: one that is made now is charged for by its drafts only. */
  inTime: boolean;
  cancelAtPeriodEnd: boolean;
}

/** A charge as the processor has it now. pending: it was paid by a method whose money arrives days later. */
export interface ChargeState {
  id: string;
  status: 'draft' | 'open' | 'pending' | 'paid' | 'void';
  amountMinor: number;
  currency: string;
  /** The payment that paid it; undefined when nothing was due. */
  paymentId: string | undefined;
  /** The page where its owner pays or confirms it. */
  url: string | undefined;
  subscriptionId: string | undefined;
  orderId: string | undefined;
}

/** `isFinal`: the bank will never take these means, and card networks fine further attempts. Codes are the processor's own. */
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
   * Creates or changes the subscription as wanted. Returns its id; null: there is none, and it is too late to make one for the next period.
   */
  upsert(wanted: WantedSubscription): Promise<string | null>;
  /** Ends a subscription at the processor; one that has ended already is left alone. */
  end(processorId: string): Promise<void>;
  /** The charge for the period that begins then. */
  renewal(processorId: string, periodStart: Date): Promise<ChargeState | undefined>;
  /** Drafts of periods that began until then and were paid in another way. */
  leftDrafts(processorId: string, until: Date): Promise<string[]>;
  lookUp(chargeId: string): Promise<ChargeState>;
  /** Makes a charge of exactly this amount due: the draft of the period, or a new charge when there is no draft. */
  ask(request: {
    orderId: string;
    customerId: string;
    chargeId: string | undefined;
    amountMinor: number;
    currency: string;
    title: string;
    /** The language of the charge's page, which says by `NO_INVOICE` that it is no invoice. */
    language: Language;
  }): Promise<ChargeState>;
  /** The same key charges once. `attended`: the owner waits for the answer. */
  pay(request: { chargeId: string; meansId: string; key: string; attended: boolean }): Promise<PayOutcome>;
  /** Voids a charge; one that is paid stays paid. */
  giveUp(chargeId: string): Promise<ChargeState>;
}
