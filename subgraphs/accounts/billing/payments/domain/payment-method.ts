// The names of the ways to pay. What each is, and how it takes money, stands in the table `../providers/payment-methods.ts`.

/** What an order can be paid by, as orders, the API and the database call it. */
export type PaymentMethod = 'CARD' | 'PAYPAL' | 'CRYPTO' | 'BANK_TRANSFER';
/** What can stand on an invoice: account credit pays and is given back, and no order is placed by it. */
export type MethodName = PaymentMethod | 'CREDIT';
/** What payments and the inbox call who took the money. */
export type Processor = 'card' | 'paypal' | 'crypto' | 'bank' | 'credit';

export interface TakenPayment {
  processor: Processor;
  /** The processor's id of it; the bank's reference. */
  processorId: string;
  /** The means, where they were saved: what is bought renews by them. */
  meansId?: string | undefined;
  /** Where the means were issued, when the processor says so; ISO 3166. */
  meansCountry?: string | undefined;
  /** What of the price did not arrive, and is let go. In minor units. */
  shortMinor?: number;
}
