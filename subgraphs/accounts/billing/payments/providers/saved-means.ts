// What accounts have saved at a processor, to be charged later. Numbers of cards never come here.

export interface SavedCard {
  id: string;
  brand: string;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
}

/** Errors of each: vendor_unavailable. */
export interface SavedMeans {
  /** The account at the processor. The same account gives the same customer, for a day; its id is kept by the caller. */
  customer(request: { accountId: string; email: string | undefined }): Promise<string>;
  /** Newest first. */
  list(customerId: string): Promise<SavedCard[]>;
  /** The processor's page where one is added. */
  openPage(request: { accountId: string; customerId: string; successUrl: string; cancelUrl: string; key: string }): Promise<string>;
  remove(cardId: string): Promise<void>;
}
