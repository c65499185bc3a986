// The providers that are given to the judging of orders, and to whatever pays them.
import type { TaxProviders } from '../tax/context.ts';

export interface RiskProviders extends TaxProviders {
  /** How long, in milliseconds, the seller holds stock for an order that waits for a review. */
  reviewHoldMs: number;
}
