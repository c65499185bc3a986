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
  /** PAUSED: the Daily Usage Limit is reached. EXPIRED: the data is used up, or the validity is over. */
  status: 'ACTIVE' | 'PAUSED' | 'EXPIRED';
  /** Until then the plan works, and what is left of it lapses then; null: for ever. A top-up before moves it. */
  valid_until: string | null;
}

export interface ListResidentialPlansData {
  plans: ResidentialPlan[];
}

export interface ProxyBatch {
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

export interface PlaceQuality {
  /** Connections that were opened, of those that an exit opened or failed at. */
  success_rate: number;
  /** The median: opening the connection, and then waiting for the target's first byte. */
  first_byte_ms: number | null;
  /** What they are made of. */
  connections: number;
}

export interface LocationCity {
  /** As the proxy username carries it. */
  code: string;
  /** As pool, state or city take it. */
  name: string;
  /** Of the last hour, of all customers of the product. Absent: there were fewer than twenty connections. */
  quality?: PlaceQuality;
}

export interface LocationState {
  /** As the proxy username carries it. */
  code: string;
  /** As pool, state or city take it. */
  name: string;
  /** Of the last hour, of all customers of the product. Absent: there were fewer than twenty connections. */
  quality?: PlaceQuality;
  cities: LocationCity[];
}

export interface Location {
  /** As the proxy username carries it. */
  code: string;
  /** As pool, state or city take it. */
  name: string;
  /** Of the last hour, of all customers of the product. Absent: there were fewer than twenty connections. */
  quality?: PlaceQuality;
  kind: 'worldwide' | 'region' | 'country';
  /** Of the pools that were asked for. */
  states?: LocationState[];
}

export interface ListLocationsData {
  /** The product_id of the plan. */
  product: string;
  product_name: string;
  /** What `time` may be. */
  session_minutes: number[];
  pools: Location[];
}

export interface UsageShare {
  /** Null: not told, or of none. */
  value: string | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: number;
}

export interface UsageOfOthers {
  /** How many values are beyond the limit. */
  values: number;
  up_bytes: number;
  down_bytes: number;
  total_bytes: number;
}

export interface GetUsageBreakdownData {
  /** The product_id of the plan. */
  product: string;
  by: 'day' | 'hour' | 'country' | 'session' | 'host' | 'client' | 'batch' | 'api_key' | 'user';
  from: string;
  to: string;
  total_bytes: number;
  shares: UsageShare[];
  /** How target hosts are kept of bytes counted now. hashed: told apart, as ~ and 16 characters; off: not at all, null. */
  hosts: 'plain' | 'hashed' | 'off';
  others: UsageOfOthers;
}

export interface RenewProxySessionData {
  session: string;
  renewed: number;
}

export type ListResidentialPlansInput = Record<string, never>;

export interface GenerateResidentialProxiesInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /**
   * A country by its English name or ISO 3166 alpha-2 code, or Worldwide, or Europe; any letter case. Several countries with commas
   * between: each line leaves from any of them, and a session stays in the one it got.
   */
  pool: string;
  /** How many lines. */
  quantity: number;
  /** true: one IP address for the session lifetime. false: a fresh IP address for each request. */
  sticky: boolean;
  /** Proxy protocol; https: an HTTP proxy over TLS, where it is offered. Default: http. */
  type?: 'http' | 'socks5' | 'https';
  /**
   * Sticky session lifetime in minutes; must be in the product's list (Premium: 30, 60, 120, 240), also when sticky is false. Default: 60.
   */
  time?: string | number;
  /** State or subdivision; single-country pools only. */
  state?: string;
  /** City; single-country pools only. */
  city?: string;
  /** Countries with commas between from which no line is to leave, for example with Worldwide or Europe. */
  exclude?: string;
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
  /** A country name or code, several with commas between, Worldwide, or Europe: its states and cities. Without it only the pools. */
  pool?: string;
}

export interface GetUsageBreakdownInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** host: the targets. client: the addresses that used the proxies. user: the proxy users; null is the plan itself. */
  by: 'day' | 'hour' | 'country' | 'session' | 'host' | 'client' | 'batch' | 'api_key' | 'user';
  /** The start, inclusive. Left out: the beginning. */
  from?: string;
  /** The end, exclusive. Left out: all until now. */
  to?: string;
  /** At most so many shares; the rest is in `others`. Default: 20. */
  limit?: number;
}

export interface RenewProxySessionInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** The number of the session, as it stands in the username: the word after -session-. */
  session: string;
}

export const residentialMethods = (call: Call) => ({
  /**
   * Lists the residential proxy plans of the account, newest first, with their product IDs. Takes no parameters. Scope of the key: `read`.
   */
  listResidentialPlans: (input: ListResidentialPlansInput = {}, options?: CallOptions): Promise<ListResidentialPlansData> =>
    call<ListResidentialPlansData>({ method: 'GET', path: '/v1/residential' }, input, options),

  /**
   * Generates proxy lines, host:port:username:password, for one residential plan. Costs no bandwidth. Sticky lines keep one IP address for
   * the session lifetime; rotating lines use a fresh one for each connection (each request over plain HTTP, each tunnel over HTTPS and
   * SOCKS5), and are all the same. Scope of the key: `generate`.
   */
  generateResidentialProxies: (input: GenerateResidentialProxiesInput, options?: CallOptions): Promise<ProxyBatch> =>
    call<ProxyBatch>({ method: 'GET', path: '/v1/residential/{product_id}/proxies' }, input, options),

  /** Live data usage of one residential plan, in GB (10^9 bytes). Stays readable after the plan has expired. Scope of the key: `read`. */
  getResidentialUsage: (input: GetResidentialUsageInput, options?: CallOptions): Promise<GetResidentialUsageData> =>
    call<GetResidentialUsageData>({ method: 'GET', path: '/v1/residential/{product_id}/usage' }, input, options),

  /** Data used on each of the last 30 UTC days by one residential plan, today included, in MB (10^6 bytes). Scope of the key: `read`. */
  getResidentialStatistics: (input: GetResidentialStatisticsInput, options?: CallOptions): Promise<GetResidentialStatisticsData> =>
    call<GetResidentialStatisticsData>({ method: 'GET', path: '/v1/residential/{product_id}/statistics' }, input, options),

  /**
   * What a generation for one residential plan may target: all pools, or with `pool` the states and cities of those, and the sticky times
   * in minutes; where it is known how well a place was served within the last hour. Call it before generating where a place or a time is
   * not certain. Scope of the key: `read`.
   */
  listLocations: (input: ListLocationsInput, options?: CallOptions): Promise<ListLocationsData> =>
    call<ListLocationsData>({ method: 'GET', path: '/v1/residential/{product_id}/locations' }, input, options),

  /**
   * What the bytes of one residential plan were used for: the largest shares by target host, country, session, client address, batch, API
   * key or proxy user, or by day or hour (UTC), the first ones. Shares and others sum exactly to the total. Call it to find out where data
   * went. Scope of the key: `read`.
   */
  getUsageBreakdown: (input: GetUsageBreakdownInput, options?: CallOptions): Promise<GetUsageBreakdownData> =>
    call<GetUsageBreakdownData>({ method: 'GET', path: '/v1/residential/{product_id}/usage/breakdown' }, input, options),

  /**
   * Another address for a live sticky session, under the same lines: new connections leave from it at once, on every proxy node, for the
   * whole time of the line. What is open goes on from the old one. `renewed` says how many were alive, one for each place and proxy user
   * that uses the number. Scope of the key: `generate`.
   */
  renewProxySession: (input: RenewProxySessionInput, options?: CallOptions): Promise<RenewProxySessionData> =>
    call<RenewProxySessionData>({ method: 'POST', path: '/v1/residential/{product_id}/sessions/{session}/renew' }, input, options),
});
