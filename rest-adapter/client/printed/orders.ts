// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface Order {
  order_id: string;
  /** pending until it is paid, then paid, fulfilled; or cancelled, expired, refunded. */
  status: string;
  title: string;
  /** What account credit pays, with tax, in minor units (cents). */
  by_credit: number;
  /** What the default payment pays. */
  charged: number;
  currency: string;
  placed_at: string;
  paid_at: string | null;
  delivered_at: string | null;
  /** What was delivered: a plan or a server. */
  resource_id: string | null;
}

export interface OrderState {
  order: Order;
}

export interface PlaceOrderInput {
  /** The `offer` of a price. */
  offer: string;
}

export interface GetOrderInput {
  /** The order_id. */
  order_id: string;
}

export const ordersMethods = (call: Call) => ({
  /**
   * Buys exactly what an offer describes, at its price. Costs money: account credit pays first, the rest is charged to the default payment
   * of the account. Support grants how much a key may order in a calendar month, and the owner can lower that; the owner is told of every
   * order by mail. It is delivered once it is paid: ask get_order, for which the key needs the scope billing. Scope of the key: `plans`.
   */
  placeOrder: (input: PlaceOrderInput, options?: CallOptions): Promise<OrderState> =>
    call<OrderState>({ method: 'POST', path: '/v1/orders', idempotent: true }, input, options),

  /** Whether an order of the account is paid and delivered, and what came of it. Scope of the key: `billing`. */
  getOrder: (input: GetOrderInput, options?: CallOptions): Promise<OrderState> =>
    call<OrderState>({ method: 'GET', path: '/v1/orders/{order_id}' }, input, options),
});
