// The crypto processor's state as plain JSON: each table by id, oldest first.
import type { Message } from '../sender.ts';

export type InvoiceStatus = 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled';
export type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver';
export type SpeedPolicy = 'HighSpeed' | 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed';

export interface CryptoPayment {
  id: string;
  /** Unix seconds. */
  receivedAt: number;
  cents: number;
  /** The number of confirmations: its own block and those above it. */
  confirmations: number;
  settled: boolean;
  late: boolean;
  /** No node of the chain has it any more. */
  dropped?: true;
}

export interface CheckoutOptions {
  speedPolicy: SpeedPolicy;
  paymentMethods: string[];
  defaultPaymentMethod: string | null;
  lazyPaymentMethods: boolean | null;
  expirationMinutes: number;
  monitoringMinutes: number;
  /** The percentage that may be missing. */
  paymentTolerance: number;
  redirectURL: string | null;
  redirectAutomatically: boolean;
  defaultLanguage: string | null;
}

export interface CryptoInvoice {
  id: string;
  /** As it was sent: "5.00" stays "5.00". */
  amount: string;
  cents: number;
  metadata: Record<string, unknown>;
  searchTerms: string[];
  checkout: CheckoutOptions;
  receipt: { enabled: boolean | null; showQR: boolean | null; showPayments: boolean | null };
  createdAt: number;
  expiresAt: number;
  monitoredUntil: number;
  status: InvoiceStatus;
  additionalStatus: AdditionalStatus;
  archived: boolean;
  destination: string;
  payments: CryptoPayment[];
}

/** One attempt to deliver an event. A repeat is a delivery of its own, with the first one's id as `originalDeliveryId`. */
export interface Delivery {
  id: string;
  originalId: string;
  createdAt: number;
  sentAt: number;
  httpCode: number | null;
  body: string;
}

export interface CryptoState {
  invoices: Record<string, CryptoInvoice>;
  deliveries: Record<string, Delivery>;
  webhooksUnderWay: Record<string, Message>;
}

export const emptyCryptoState = (): CryptoState => ({ invoices: {}, deliveries: {}, webhooksUnderWay: {} });
