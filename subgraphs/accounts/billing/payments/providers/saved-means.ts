// What accounts have saved at a processor to be charged later: a card, a mandate, a PayPal account. Card numbers never come here.

/** Saved means as their owner recognizes them. */
export interface SavedMeans {
  id: string;
  brand: string;
  /** The last four digits of its number; empty: it has no number. */
  lastFour: string;
  /** The e-mail address of its holder, where it has no number. */
  holder?: string;
  /** Month and year are both 0 when it does not expire. */
  expiryMonth: number;
  expiryYear: number;
}

/** Errors of each: vendor_unavailable. */
export interface Wallet {
  /** The account at the processor. The same account gives the same customer, for a day; its id is kept by the caller. */
  customer(request: { accountId: string; email: string | undefined }): Promise<string>;
  /** Newest first. */
  list(customerId: string): Promise<SavedMeans[]>;
  /** The processor's page where its owner adds means. */
  openPage(request: { accountId: string; customerId: string; successUrl: string; cancelUrl: string; key: string }): Promise<string>;
  /** Saves what was agreed to at such a page, by what the page has added to `successUrl`; absent: the processor saves by itself. */
  finish?(customerId: string, returned: string): Promise<string | undefined>;
  remove(meansId: string): Promise<void>;
  /** Deletes the customer with everything saved; one that is gone already is left alone. */
  forget(customerId: string): Promise<void>;
}
