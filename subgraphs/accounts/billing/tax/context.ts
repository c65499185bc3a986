// What tax is given, and what invoices are.
import type { Context } from '#platform/context.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { PaymentsProviders } from '../payments/context.ts';
import type { Party } from './domain/taxed-buyer.ts';
import type { VatRegister } from './providers/vat-register.ts';

export interface TaxProviders extends PaymentsProviders {
  /** That the seller pays tax in, where it is not the one that is sold in. */
  localCurrency: string | undefined;
  /** Who stands on invoices as their issuer. */
  seller: Party;
  taxRates: TaxRates;
  /** Tells whatever goes by the tax of an account that it may be another one, in the transaction of `tx`. */
  taxChanged(tx: TaxContext, accountId: string): Promise<void>;
  /** Undefined: VAT ids stay unchecked. */
  vatRegister: VatRegister | undefined;
}

export type TaxContext = Context<TaxProviders>;
