// The providers that are given to the judging of orders, and to whatever pays them.
import type { Context } from '#platform/context.ts';
import type { TaxProviders } from '../tax/context.ts';
import type { IdentityVendorTerms } from './configuration.ts';
import type { AddressCountry } from './providers/address-country.ts';

export interface OwnRiskProviders {
  /** How long, in milliseconds, the seller holds stock for an order that waits for a review. */
  reviewHoldMs: number;
  /** Undefined: no vendor checks who customers are. */
  identityVendor: IdentityVendorTerms | undefined;
  /** The countries of addresses, by the operator's table. */
  addressCountry: AddressCountry;
}

export interface RiskProviders extends TaxProviders, OwnRiskProviders {}

export type RiskContext = Context<RiskProviders>;
