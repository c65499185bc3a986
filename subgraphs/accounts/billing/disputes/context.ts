// What disputes are given.
import type { Context } from '#platform/context.ts';
import type { SubscriptionsProviders } from '../subscriptions/context.ts';
import type { FreezeRule } from './domain/dispute.ts';

export interface DisputesProviders extends SubscriptionsProviders {
  /** From when on what was bought stands still for a dispute. */
  disputeFreeze: FreezeRule;
}

export type DisputesContext = Context<DisputesProviders>;
