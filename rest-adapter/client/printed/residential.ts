// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface ResidentialPlan {
  /** Identifier of the plan; the other residential endpoints take it. */
  product_id: string;
  /** Product name. */
  product_name: string;
  /** Total data allocation in GB (10^9 bytes). */
  data_gb: number;
  /** Proxy username of the plan. */
  username: string;
  /** PAUSED: the Daily Usage Limit is reached. EXPIRED: the data is used up. */
  status: 'ACTIVE' | 'PAUSED' | 'EXPIRED';
}

export interface ListResidentialPlansData {
  plans: ResidentialPlan[];
}

export interface GenerateResidentialProxiesData {
  /** host:port:username:password */
  proxies: string[];
  /** Number of lines. */
  count: number;
  /** Identifier of this generation. */
  batch_id: string;
}

export interface GetResidentialUsageData {
  /** Total allocation in GB. */
  total_data: number;
  /** Data consumed so far in GB. */
  used_data: number;
  /** Proxy username of the plan. */
  username: string;
  /** The product_id of the plan. */
  product: string;
}

export interface GetResidentialStatisticsData {
  unit: 'MB';
  /** Date (YYYY-MM-DD, UTC) to MB used that day; 30 days, ascending, today last. */
  days: Record<string, number>;
}

export interface Location {
  /** As the proxy username carries it. */
  code: string;
  /** As pool, state or city take it. */
  name: string;
  kind: 'worldwide' | 'region' | 'country';
  /** Of the one pool that was asked for. */
  states?: {
    /** As the proxy username carries it. */
    code: string;
    /** As pool, state or city take it. */
    name: string;
    cities: {
      /** As the proxy username carries it. */
      code: string;
      /** As pool, state or city take it. */
      name: string;
    }[];
  }[];
}

export interface ListLocationsData {
  /** The product_id of the plan. */
  product: string;
  product_name: string;
  /** What `time` may be. */
  session_minutes: number[];
  pools: Location[];
}

export type ListResidentialPlansInput = Record<string, never>;

export interface GenerateResidentialProxiesInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** A country by its English name or ISO 3166 alpha-2 code, or Worldwide, or Europe; any letter case. */
  pool: string;
  /** How many lines. */
  quantity: number;
  /** true: one IP address for the session lifetime. false: a fresh IP address for each request. */
  sticky: boolean;
  /** Proxy protocol. Default: http. */
  type?: 'http' | 'socks5';
  /**
   * Sticky session lifetime in minutes; must be in the product's list (Premium: 30, 60, 120, 240), also when sticky is false. Default: 60.
   */
  time?: string | number;
  /** State or subdivision; single-country pools only. */
  state?: string;
  /** City; single-country pools only. */
  city?: string;
}

export interface GetResidentialUsageInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export interface GetResidentialStatisticsInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export interface ListLocationsInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** A country name or code, Worldwide, or Europe: its states and cities. Without it only the pools. */
  pool?: string;
}

export const residentialMethods = (call: Call) => ({
  /** Lists the residential proxy plans of the account, newest first, with their product IDs. Takes no parameters. */
  listResidentialPlans: (input: ListResidentialPlansInput = {}, options?: CallOptions): Promise<ListResidentialPlansData> =>
    call<ListResidentialPlansData>({ method: 'GET', path: '/v1/residential' }, input, options),

  /**
   * Generates proxy lines, host:port:username:password, for one residential plan. Costs no bandwidth. Sticky lines keep one IP address for
   * the session lifetime; rotating lines use a fresh one for each connection (each request over plain HTTP, each tunnel over HTTPS and
   * SOCKS5), and are all the same.
   */
  generateResidentialProxies: (input: GenerateResidentialProxiesInput, options?: CallOptions): Promise<GenerateResidentialProxiesData> =>
    call<GenerateResidentialProxiesData>({ method: 'GET', path: '/v1/residential/{product_id}/proxies' }, input, options),

  /** Live data usage of one residential plan, in GB (10^9 bytes). Stays readable after the plan has expired. */
  getResidentialUsage: (input: GetResidentialUsageInput, options?: CallOptions): Promise<GetResidentialUsageData> =>
    call<GetResidentialUsageData>({ method: 'GET', path: '/v1/residential/{product_id}/usage' }, input, options),

  /** Data used on each of the last 30 UTC days by one residential plan, today included, in MB (10^6 bytes). */
  getResidentialStatistics: (input: GetResidentialStatisticsInput, options?: CallOptions): Promise<GetResidentialStatisticsData> =>
    call<GetResidentialStatisticsData>({ method: 'GET', path: '/v1/residential/{product_id}/statistics' }, input, options),

  /**
   * What a generation for one residential plan may target: all pools, or with `pool` the states and cities of that one, and the sticky
   * times in minutes. Call it before generating where a place or a time is not certain.
   */
  listLocations: (input: ListLocationsInput, options?: CallOptions): Promise<ListLocationsData> =>
    call<ListLocationsData>({ method: 'GET', path: '/v1/residential/{product_id}/locations' }, input, options),
});
