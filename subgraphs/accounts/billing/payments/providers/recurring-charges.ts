// What billing asks of a processor that charges a saved card for each period of a subscription.
import type { OfferLine } from '#commerce/offers.ts';

/** A subscription as it is to be at the processor. */
export interface WantedSubscription {
  id: string;
  /** At the processor; null: to be made. */
  processorId: string | null;
  customerId: string;
  cardId: string;
  title: string;
  /** What each period costs, tax as a line of its own. */
  lines: OfferLine[];
  currency: string;
  months: number;
  periodEnd: Date;
  /** The next period has not begun: one that is made now is charged for by its drafts only. */
  inTime: boolean;
  cancelAtPeriodEnd: boolean;
}

/** What the processor says of an invoice now. */
export interface InvoiceState {
  id: string;
  status: 'draft' | 'open' | 'paid' | 'void';
  amountMinor: number;
  currency: string;
  /** What paid it; absent when nothing was due. */
  paymentId: string | undefined;
  /** Where its owner pays or confirms it. */
  url: string | undefined;
  subscriptionId: string | undefined;
  orderId: string | undefined;
}

export type PayOutcome = { outcome: 'paid' | 'needs_confirmation' } | { outcome: 'refused'; message: string };

/** Errors of each: vendor_unavailable. */
export interface RecurringCharges {
  /** Makes it or changes it as it is wanted; nothing when it is so already. Returns its id; null when there is none and it is too late to make one. */
  keep(wanted: WantedSubscription): Promise<string | null>;
  /** Nothing when it has ended already. */
  end(processorId: string): Promise<void>;
  /** The invoice of the period that begins then. */
  renewal(processorId: string, periodStart: Date): Promise<InvoiceState | undefined>;
  /** Drafts of periods that began by then: nobody has asked for them, since they were paid otherwise. */
  leftDrafts(processorId: string, until: Date): Promise<string[]>;
  invoice(id: string): Promise<InvoiceState>;
  /** Has an invoice ask for exactly this, final: the period's own draft, or one of its own when there is none. */
  ask(request: {
    orderId: string;
    customerId: string;
    invoiceId: string | undefined;
    amountMinor: number;
    currency: string;
    title: string;
  }): Promise<InvoiceState>;
  /** The same key charges once. `attended`: the owner waits for the answer. */
  pay(request: { invoiceId: string; cardId: string; key: string; attended: boolean }): Promise<PayOutcome>;
  /** Nobody can pay it any more; one that is paid stays so. */
  giveUp(invoiceId: string): Promise<InvoiceState>;
}
