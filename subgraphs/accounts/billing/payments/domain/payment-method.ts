// The names of the ways to pay. The table `../providers/payment-methods.ts` says what each of them is and does.

/** What an order can be paid by, as orders, the API and the database call it. */
export type PaymentMethod = 'CARD' | 'PAYPAL' | 'CRYPTO' | 'BANK_TRANSFER';
/** The methods that can stand on an invoice. Account credit is one of them, although no order is placed by it. */
export type MethodName = PaymentMethod | 'CREDIT';
/** The names by which payments and the inbox call who took the money. */
export type Processor = 'card' | 'paypal' | 'crypto' | 'bank' | 'credit';

export interface TakenPayment {
  processor: Processor;
  /** The processor's id of the payment; for a transfer the bank's reference. */
  processorId: string;
  /** The id of the means, if they were saved; what is bought renews by them. */
  meansId?: string | undefined;
  /** The country in which the means were issued, ISO 3166, if the processor tells it. */
  meansCountry?: string | undefined;
  /** The part of the price that did not arrive and is waived, in minor units. */
  shortMinor?: number;
}
