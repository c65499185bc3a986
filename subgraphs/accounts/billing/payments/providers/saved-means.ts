// What accounts have saved at a processor, to be charged later: a card, a mandate, an account elsewhere. Numbers of cards never come here.

/** As its owner tells it from others. */
export interface SavedMeans {
  id: string;
  brand: string;
  /** Of a number; empty where it has none. */
  lastFour: string;
  /** Whose it is, as an address of e-mail, where it has no number. */
  holder?: string;
  /** 0 both: it does not expire. */
  expiryMonth: number;
  expiryYear: number;
}

/** Errors of each: vendor_unavailable. */
export interface Wallet {
  /** The account at the processor. The same account gives the same customer, for a day; its id is kept by the caller. */
  customer(request: { accountId: string; email: string | undefined }): Promise<string>;
  /** Newest first. */
  list(customerId: string): Promise<SavedMeans[]>;
  /** The processor's page where some are added. */
  openPage(request: { accountId: string; customerId: string; successUrl: string; cancelUrl: string; key: string }): Promise<string>;
  /** Saves what was agreed to at such a page, by what the page has added to `successUrl`; absent: the processor saves by itself. */
  finish?(customerId: string, returned: string): Promise<string | undefined>;
  remove(meansId: string): Promise<void>;
  /** The customer goes, with all that was saved. Nothing when it is gone already. */
  forget(customerId: string): Promise<void>;
}
