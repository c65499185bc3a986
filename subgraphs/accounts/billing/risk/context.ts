// What the judging of orders is given, and whatever pays them.
import type { TaxProviders } from '../tax/context.ts';

export interface RiskProviders extends TaxProviders {
  /** How long its seller keeps stock for an order that is held for a person to look at, in milliseconds. */
  reviewHoldMs: number;
}
