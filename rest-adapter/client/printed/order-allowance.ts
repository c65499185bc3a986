// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface GetOrderAllowanceData {
  /** The most that support lets the key order in a month, with tax, in minor units (cents). */
  granted: number;
  /** What of that the owner leaves to it; 0: it may not order. */
  ceiling: number;
  /** In this month. */
  spent: number;
  currency: string;
}

export type GetOrderAllowanceInput = Record<string, never>;

export const orderAllowanceMethods = (call: Call) => ({
  /**
   * How much this API key may order in a calendar month of UTC, and how much of that it has ordered in this one. Scope of the key: `plans`.
   */
  getOrderAllowance: (input: GetOrderAllowanceInput = {}, options?: CallOptions): Promise<GetOrderAllowanceData> =>
    call<GetOrderAllowanceData>({ method: 'GET', path: '/v1/order-allowance' }, input, options),
});
