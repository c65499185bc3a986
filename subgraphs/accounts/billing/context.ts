// What everything about money is given.
import type { Context } from '#platform/context.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { IdentityProviders } from '../identity/context.ts';
import type { FreezeRule } from './disputes/domain/dispute.ts';
import type { DatevTerms } from './finance/domain/posting-batch.ts';
import type { Party } from './invoices/domain/invoice.ts';
import type { PaymentProcessors } from './payments/providers/payment-methods.ts';
import type { DunningTerms } from './subscriptions/domain/dunning.ts';
import type { VatRegister } from './tax/providers/vat-register.ts';

export interface BillingProviders extends IdentityProviders {
  /** Undefined: nothing is exported for DATEV. */
  datev: DatevTerms | undefined;
  /** From when on what was bought stands still for a dispute. */
  disputeFreeze: FreezeRule;
  /** Days of renewals. */
  dunning: DunningTerms;
  /** That the seller pays tax in, where it is not the one that is sold in. */
  localCurrency: string | undefined;
  /** Of each way to pay; undefined: it is not configured. */
  payments: PaymentProcessors;
  /** Who stands on invoices as their issuer. */
  seller: Party;
  /** What one member of staff may give away in a day, in minor units. */
  staffDailyLimitMinor: number;
  /** What one member of staff may give as credit at once, in minor units. */
  staffGrantLimitMinor: number;
  /** How long a buyer waits for the seller's word on the stock, in milliseconds. */
  stockAnswerMs: number;
  taxRates: TaxRates;
  /** Undefined: VAT ids stay unchecked. */
  vatRegister: VatRegister | undefined;
}

export type BillingContext = Context<BillingProviders>;
