// The providers that disputes are given.
import type { Context } from '#platform/context.ts';
import type { SubscriptionsProviders } from '../subscriptions/context.ts';
import type { FreezeRule } from './domain/dispute.ts';

export interface DisputesProviders extends SubscriptionsProviders {
  /** When a purchase is frozen because of a dispute. */
  disputeFreeze: FreezeRule;
}

export type DisputesContext = Context<DisputesProviders>;
