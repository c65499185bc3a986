// What payments are given, and what orders and coupons are.
import type { Context } from '#platform/context.ts';
import type { LedgerProviders } from '../ledger/context.ts';
import type { PaymentProcessors } from './providers/payment-methods.ts';

export interface PaymentsProviders extends LedgerProviders {
  /** Of each way to pay; undefined: it is not configured. */
  payments: PaymentProcessors;
}

export type PaymentsContext = Context<PaymentsProviders>;
