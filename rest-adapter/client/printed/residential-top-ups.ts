// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import type { Offer } from './offers.ts';

export interface AutoTopUp {
  enabled: boolean;
  /** Why it was switched off by itself. */
  stopped: 'declined' | 'confirmation_needed' | 'no_means' | 'not_sold' | 'country_needed' | null;
  /** With less than this left, gigabytes are bought. */
  left_gb: number;
  gigabytes: number;
  /** The most of a calendar month of UTC. With tax, in minor units (cents). */
  ceiling: number;
  /** In this month, with what is being bought. With tax, in minor units (cents). */
  spent: number;
  currency: string;
  /** At least so long between two orders. */
  pause_minutes: number;
  is_buying: boolean;
  /** Nothing is bought before. */
  next_at: string | null;
}

export interface PlanAlerts {
  /** true: those that everybody has. */
  default: boolean;
  /** Of what was bought; 100 is always among them. */
  percents: number[];
  left_gb: number[];
}

export interface TopUp {
  order_id: string;
  gb: number;
  created_at: string;
  /** When the order was given back. */
  taken_back_at: string | null;
}

export interface TopUps {
  /** The product_id of the plan. */
  product: string;
  /** All that was bought for it. */
  total_gb: number;
  valid_until: string | null;
  /** Null: never set. */
  auto_top_up: AutoTopUp | null;
  /** At which marks the owner is told, by mail and webhook. */
  alerts: PlanAlerts;
  top_ups: TopUp[];
}

export interface ListTopUpsInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export interface TopUpPlanInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** Whole GB, priced as a package of that volume. */
  gigabytes: number;
}

export interface GetTopUpPriceInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** Whole GB, priced as a package of that volume. */
  gigabytes: number;
}

export interface SetAutoTopUpInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** With less than this left, data is bought. */
  left_gb: number;
  /** Whole GB, priced as a package of that volume. */
  gigabytes: number;
  /** The most of a calendar month of UTC, with tax, in minor units (cents). */
  ceiling: number;
  /** At least so long between two orders. Default: 60. */
  pause_minutes?: number;
}

export interface StopAutoTopUpInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export interface SetPlanAlertsInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** Of what was bought. */
  percents?: number[];
  /** What is left. */
  left_gb?: number[];
}

export const residentialTopUpsMethods = (call: Call) => ({
  /**
   * What was bought into one residential plan after it was made, newest first, its automatic top-ups, and the marks at which its owner is
   * told that data runs out. All of it is valid until valid_until (null: for ever): a top-up before moves that to the later of both, and
   * what is left rolls over. Scope of the key: `read`.
   */
  listTopUps: (input: ListTopUpsInput, options?: CallOptions): Promise<TopUps> =>
    call<TopUps>({ method: 'GET', path: '/v1/residential/{product_id}/top-ups' }, input, options),

  /**
   * Buys more data for one residential plan; its username, password and lines stay. Costs money: it is paid as automatic top-ups are, which
   * the owner must have switched on, within their monthly ceiling, and not before their pause is over, so that a call that is repeated buys
   * once. Scope of the key: `plans`.
   */
  topUpPlan: (input: TopUpPlanInput, options?: CallOptions): Promise<TopUps> =>
    call<TopUps>({ method: 'POST', path: '/v1/residential/{product_id}/top-ups' }, input, options),

  /**
   * What so many more GB for one residential plan cost now, as an offer that place_order takes. Buys nothing. Scope of the key: `plans`.
   */
  getTopUpPrice: (input: GetTopUpPriceInput, options?: CallOptions): Promise<Offer> =>
    call<Offer>({ method: 'GET', path: '/v1/residential/{product_id}/top-ups/price' }, input, options),

  /**
   * Sets from which rest on, how much, and how often data is bought by itself for one residential plan. A key can do so while automatic
   * top-ups are on, and can only lower the monthly ceiling: the owner switches them on and raises it, signed in. Scope of the key: `plans`.
   */
  setAutoTopUp: (input: SetAutoTopUpInput, options?: CallOptions): Promise<TopUps> =>
    call<TopUps>({ method: 'PATCH', path: '/v1/residential/{product_id}/auto-top-up' }, input, options),

  /**
   * Nothing more is bought by itself for one residential plan; what is being bought is. Only the owner, signed in, can switch it on again.
   * Scope of the key: `plans`.
   */
  stopAutoTopUp: (input: StopAutoTopUpInput, options?: CallOptions): Promise<TopUps> =>
    call<TopUps>({ method: 'DELETE', path: '/v1/residential/{product_id}/auto-top-up' }, input, options),

  /**
   * At which marks the owner of one residential plan is told by mail and webhook, once for each crossing: percents used, and GB left, five
   * of each at most. Without any marks those apply again that everybody has. 100 percent is always one. Scope of the key: `plans`.
   */
  setPlanAlerts: (input: SetPlanAlertsInput, options?: CallOptions): Promise<TopUps> =>
    call<TopUps>({ method: 'PATCH', path: '/v1/residential/{product_id}/alerts' }, input, options),
});
