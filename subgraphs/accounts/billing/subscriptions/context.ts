// The providers that are given to subscriptions and to what builds on them: incoming payments, refunds and renewals.
import type { Context } from '#platform/context.ts';
import type { RiskProviders } from '../risk/context.ts';
import type { DunningTerms } from './domain/dunning.ts';

export interface SubscriptionsProviders extends RiskProviders {
  /** The days of renewals. */
  dunning: DunningTerms;
}

export type SubscriptionsContext = Context<SubscriptionsProviders>;
