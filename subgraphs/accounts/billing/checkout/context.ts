// What the services of checkout are given.
import type { Context } from '#platform/context.ts';
import type { SubscriptionsProviders } from '../subscriptions/context.ts';

export interface CheckoutProviders extends SubscriptionsProviders {
  /** How long a buyer waits for the seller's word on the stock, in milliseconds. */
  stockAnswerMs: number;
}

export type CheckoutContext = Context<CheckoutProviders>;
