// What subscriptions are given, and whatever stands on them: money that arrives and goes back, renewals.
import type { Context } from '#platform/context.ts';
import type { RiskProviders } from '../risk/context.ts';
import type { DunningTerms } from './domain/dunning.ts';

export interface SubscriptionsProviders extends RiskProviders {
  /** Days of renewals. */
  dunning: DunningTerms;
}

export type SubscriptionsContext = Context<SubscriptionsProviders>;
