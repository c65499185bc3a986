// The providers that orders of servers are given.
import type { TaxRates } from '#commerce/tax.ts';
import type { Context } from '#platform/context.ts';
import type { SigningKeys } from '#platform/mac.ts';
import type { ProvisioningProviders } from '../provisioning/context.ts';

export interface OrdersProviders extends ProvisioningProviders {
  /** Signs offers. */
  offers: SigningKeys;
  taxRates: TaxRates;
}

export type OrdersContext = Context<OrdersProviders>;
