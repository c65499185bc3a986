// The providers that finance is given.
import type { Context } from '#platform/context.ts';
import type { SubscriptionsProviders } from '../subscriptions/context.ts';
import type { DatevTerms } from './domain/posting-batch.ts';

export interface FinanceProviders extends SubscriptionsProviders {
  /** Undefined: nothing is exported for DATEV. */
  datev: DatevTerms | undefined;
}

export type FinanceContext = Context<FinanceProviders>;
