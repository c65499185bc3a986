// What accounts have saved at a processor, to be charged later: a card, a mandate, an account elsewhere. Numbers of cards never come here.

/** As its owner tells it from others. */
export interface SavedMeans {
  id: string;
  brand: string;
  lastFour: string;
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
  remove(meansId: string): Promise<void>;
}
