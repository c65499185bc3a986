// What subscriptions are given, and whatever stands on them: money that arrives and goes back, renewals.
import type { Context } from '#platform/context.ts';
import type { TaxProviders } from '../tax/context.ts';
import type { DunningTerms } from './domain/dunning.ts';

export interface SubscriptionsProviders extends TaxProviders {
  /** Days of renewals. */
  dunning: DunningTerms;
}

export type SubscriptionsContext = Context<SubscriptionsProviders>;
