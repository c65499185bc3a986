// PayPal's state as plain JSON: each table by id, oldest first. Names are those of its documents.
import type { Message } from '../sender.ts';

export interface Money {
  currency_code: string;
  value: string;
}

/** How a payer's payment goes; a name in capitals is the issue with which the capture is refused. */
export const FUNDINGS = [
  'balance',
  'echeck',
  'review',
  'INSTRUMENT_DECLINED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'AGREEMENT_ALREADY_CANCELLED',
  'TRANSACTION_REFUSED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'PAYER_ACTION_REQUIRED',
] as const;
export type Funding = (typeof FUNDINGS)[number];

export interface Payer {
  id: string;
  email: string;
  country: string;
  funding: Funding;
}

export type OrderStatus = 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';

export interface PayPalOrder {
  id: string;
  status: OrderStatus;
  createdAt: number;
  updatedAt: number;
  unit: {
    reference_id: string;
    amount: Money & { breakdown?: Record<string, Money> | undefined };
    description?: string | undefined;
    custom_id?: string | undefined;
    invoice_id?: string | undefined;
    items?: object[] | undefined;
  };
  returnUrl: string | undefined;
  cancelUrl: string | undefined;
  /** The payment source was named at the creation: the page asks for it. */
  hasSource: boolean;
  vault: { customerId: string | undefined } | undefined;
  payerId: string | undefined;
  /** The payment token that was saved with its capture. */
  tokenId: string | undefined;
  captureIds: string[];
  attempts: number;
}

export type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED' | 'REFUNDED' | 'PARTIALLY_REFUNDED';

export interface Capture {
  id: string;
  orderId: string;
  status: CaptureStatus;
  reason: string | undefined;
  amount: Money;
  createdAt: number;
  updatedAt: number;
  refundIds: string[];
}

export type RefundStatus = 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED';

export interface PayPalRefund {
  id: string;
  captureId: string;
  status: RefundStatus;
  amount: Money;
  custom_id: string | undefined;
  invoice_id: string | undefined;
  note_to_payer: string | undefined;
  createdAt: number;
  updatedAt: number;
}

export interface SetupToken {
  id: string;
  customerId: string;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED';
  createdAt: number;
  returnUrl: string;
  cancelUrl: string;
  payerId: string | undefined;
}

export interface PaymentToken {
  id: string;
  customerId: string;
  payerId: string;
  createdAt: number;
}

export interface Movement {
  affected_party: 'SELLER' | 'BUYER';
  amount: Money;
  initiated_time: string;
  type: 'DEBIT' | 'CREDIT';
  reason: 'DISPUTE_SETTLEMENT' | 'DISPUTE_FEE' | 'CHARGEBACK_FEE';
}

export interface PayPalDispute {
  dispute_id: string;
  captureId: string;
  reason: string;
  status: 'OPEN' | 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED';
  stage: 'INQUIRY' | 'CHARGEBACK';
  channel: 'INTERNAL' | 'EXTERNAL';
  amount: Money;
  createdAt: number;
  updatedAt: number;
  responseDueAt: number;
  outcome: string | undefined;
  movements: Movement[];
  evidences: { evidence_type: string; notes: string | undefined; files: string[] }[];
}

/** An entry of the merchant's own account. */
export interface AccountEntry {
  /** Not unique: an entry that reverses another one may have the same id. */
  id: string;
  /** The transaction event code. */
  code: string;
  reference: string | undefined;
  /** Negative amounts left the account. */
  amount: Money;
  fee: Money | undefined;
  /** When it began; entries are found by this time. */
  at: number;
  /** When it was completed, if that was later. */
  doneAt?: number;
  /** Denied, pending, successful, reversed. */
  status: 'D' | 'P' | 'S' | 'V';
  custom: string | undefined;
}

export interface WebhookListener {
  id: string;
  url: string;
  events: string[];
}

export interface PayPalEvent {
  id: string;
  event_version: '1.0';
  create_time: string;
  resource_type: string;
  event_type: string;
  summary: string;
  resource: object;
  links: object[];
}

export interface PayPalState {
  payers: Record<string, Payer>;
  orders: Record<string, PayPalOrder>;
  captures: Record<string, Capture>;
  refunds: Record<string, PayPalRefund>;
  setupTokens: Record<string, SetupToken>;
  paymentTokens: Record<string, PaymentToken>;
  disputes: Record<string, PayPalDispute>;
  /** The entries of the merchant's account, oldest first. */
  entries: AccountEntry[];
  /** Whether "Transaction Search" is enabled for the app. */
  mayReport: boolean;
  listeners: Record<string, WebhookListener>;
  /** From "id path" to the stored answer, and until when it is stored. */
  answers: Record<string, { status: number; body: unknown; request: string; until: number }>;
  webhooksUnderWay: Record<string, Message>;
  /** The events of the last thirty days, oldest first. */
  events: PayPalEvent[];
}

export const emptyPayPalState = (): PayPalState => ({
  payers: {},
  orders: {},
  captures: {},
  refunds: {},
  setupTokens: {},
  paymentTokens: {},
  disputes: {},
  entries: [],
  mayReport: true,
  listeners: {},
  answers: {},
  webhooksUnderWay: {},
  events: [],
});
