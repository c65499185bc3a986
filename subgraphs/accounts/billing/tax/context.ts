// The providers that tax and invoices are given.
import type { Context } from '#platform/context.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { PaymentsProviders } from '../payments/context.ts';
import type { Party } from './domain/taxed-buyer.ts';
import type { VatRegister } from './providers/vat-register.ts';

export interface TaxProviders extends PaymentsProviders {
  /** The currency that the seller pays tax in, where it differs from the currency of sale. */
  localCurrency: string | undefined;
  /** The issuer of invoices. */
  seller: Party;
  taxRates: TaxRates;
  /** Tells everything that depends on an account's tax that it may have changed, in the transaction of `tx`. */
  taxChanged(tx: TaxContext, accountId: string): Promise<void>;
  /** Undefined: VAT ids stay unchecked. */
  vatRegister: VatRegister | undefined;
}

export type TaxContext = Context<TaxProviders>;
