// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface SubscriptionBilling {
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'unpaid' | 'paused';
  /** End of the current billing period, unix seconds. */
  current_period_end: number;
  /** Amount per billing period before tax, in minor units (cents, USD). */
  amount: number;
  /** Billing interval. */
  interval: 'day' | 'week' | 'month' | 'year';
  /** Number of intervals in a billing period. */
  interval_count: number;
}

export interface Subscription {
  /** Identifier of the static plan. */
  plan_id: string;
  /** Kind of plan. */
  type: 'ISP' | 'DC';
  /** Product name. */
  product_name: string;
  /** Plan status. */
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  billing: SubscriptionBilling;
}

export interface GetSubscriptionsData {
  subscriptions: Subscription[];
}

export type GetSubscriptionsInput = Record<string, never>;

export const subscriptionsMethods = (call: Call) => ({
  /**
   * Subscription status of the ISP and datacenter plans of the account, with live billing state, newest first. Takes no parameters. Scope
   * of the key: `read`.
   */
  getSubscriptions: (input: GetSubscriptionsInput = {}, options?: CallOptions): Promise<GetSubscriptionsData> =>
    call<GetSubscriptionsData>({ method: 'GET', path: '/v1/subscriptions' }, input, options),
});
