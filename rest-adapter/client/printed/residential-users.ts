// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface ProxyUser {
  user_id: string;
  /** The plan that its bytes are of. */
  product_id: string;
  name: string;
  /** Before the first hyphen of its lines. */
  username: string;
  password: string;
  state: 'active' | 'paused' | 'daily_limit' | 'monthly_limit' | 'used_up' | 'removed';
  /** When a limit that is reached is over by itself. */
  resumes_at: string | null;
  /** Limit of a day of UTC, in GB; null: none. */
  daily_limit_gb: number | null;
  /** Limit of a calendar month of UTC, in GB; null: none. */
  monthly_limit_gb: number | null;
  /** Limit for good, in GB; null: none. */
  total_limit_gb: number | null;
  /** What counts for the total limit: since it was made, or renewed. */
  counted_gb: number;
  /** All that it has used. */
  used_gb: number;
  /** Today, in UTC. */
  used_today_gb: number;
  /** This month, in UTC. */
  used_month_gb: number;
  /** Codes of places that its lines may leave from; empty: all. */
  countries: string[];
  /** Hosts that its lines may reach; empty: all. */
  targets: string[];
  /** Addresses and networks that its lines work from; empty: all. */
  clients: string[];
  used_at: string | null;
  created_at: string;
}

export interface ListProxyUsersData {
  users: ProxyUser[];
  total: number;
  currentPage: number;
  totalPages: number;
}

export interface ProxyUserState {
  user: ProxyUser;
}

export interface RemovedProxyUser {
  user_id: string;
}

export interface ListProxyUsersInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** Words in the name or the username. */
  search?: string;
  /** Page number. Default: 1. */
  page?: number;
  /** Results per page, at most 100. Default: 25. */
  limit?: number;
}

export interface CreateProxyUserInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** What it is called, at most 100 characters. */
  name: string;
  /** Limit of a day of UTC in GB, at least 0.001; 0 takes it away. Left out it stays. */
  daily_limit_gb?: number;
  /** Limit of a calendar month of UTC in GB, at least 0.001; 0 takes it away. Left out it stays. */
  monthly_limit_gb?: number;
  /** Limit of all its use in GB, at least 0.001; 0 takes it away. Left out it stays. */
  total_limit_gb?: number;
  /** Names or codes of the countries that its lines may leave from. An empty list allows all. Left out it stays. */
  countries?: string[];
  /** Hosts, with all below them, or addresses that its lines may reach. An empty list allows all. Left out it stays. */
  targets?: string[];
  /** Addresses and networks that its lines work from. An empty list allows all. Left out it stays. */
  clients?: string[];
}

export interface GetProxyUserInput {
  /** Identifier of the proxy user, from the list of the plan (user_id). */
  user_id: string;
}

export interface ChangeProxyUserInput {
  /** Identifier of the proxy user, from the list of the plan (user_id). */
  user_id: string;
  /** What it is called. */
  name?: string;
  /** true: its lines are refused until it is false again. */
  paused?: boolean;
  /** Limit of a day of UTC in GB, at least 0.001; 0 takes it away. Left out it stays. */
  daily_limit_gb?: number;
  /** Limit of a calendar month of UTC in GB, at least 0.001; 0 takes it away. Left out it stays. */
  monthly_limit_gb?: number;
  /** Limit of all its use in GB, at least 0.001; 0 takes it away. Left out it stays. */
  total_limit_gb?: number;
  /** Names or codes of the countries that its lines may leave from. An empty list allows all. Left out it stays. */
  countries?: string[];
  /** Hosts, with all below them, or addresses that its lines may reach. An empty list allows all. Left out it stays. */
  targets?: string[];
  /** Addresses and networks that its lines work from. An empty list allows all. Left out it stays. */
  clients?: string[];
}

export interface RemoveProxyUserInput {
  /** Identifier of the proxy user, from the list of the plan (user_id). */
  user_id: string;
}

export interface ResetProxyUserPasswordInput {
  /** Identifier of the proxy user, from the list of the plan (user_id). */
  user_id: string;
}

export interface RenewProxyUserInput {
  /** Identifier of the proxy user, from the list of the plan (user_id). */
  user_id: string;
}

export const residentialUsersMethods = (call: Call) => ({
  /**
   * Proxy users of one residential plan, newest first: each has a username and password of its own, limits, and what it has used of the
   * plan. Scope of the key: `generate`.
   */
  listProxyUsers: (input: ListProxyUsersInput, options?: CallOptions): Promise<ListProxyUsersData> =>
    call<ListProxyUsersData>({ method: 'GET', path: '/v1/residential/{product_id}/users' }, input, options),
  /** All that `listProxyUsers` has, page after page. */
  eachProxyUser: (input: ListProxyUsersInput, options?: CallOptions): AsyncGenerator<ProxyUser> =>
    eachItem<ProxyUser>(
      call, { method: 'GET', path: '/v1/residential/{product_id}/users' },
      { by: 'page', list: 'users' }, input, options,
    ),

  /**
   * A new proxy user of one residential plan: a username and password for lines that use bytes of the plan, within limits of its own and,
   * if given, for some places, targets and addresses only. A plan has at most 10,000. Scope of the key: `generate`.
   */
  createProxyUser: (input: CreateProxyUserInput, options?: CallOptions): Promise<ProxyUserState> =>
    call<ProxyUserState>({ method: 'POST', path: '/v1/residential/{product_id}/users' }, input, options),

  /** One proxy user: its credentials, limits, and what it has used. Scope of the key: `generate`. */
  getProxyUser: (input: GetProxyUserInput, options?: CallOptions): Promise<ProxyUserState> =>
    call<ProxyUserState>({ method: 'GET', path: '/v1/residential-users/{user_id}' }, input, options),

  /**
   * Renames a proxy user, pauses it or lets it go on, and sets its limits and rules. What is left out stays as it is. Scope of the key:
   * `generate`.
   */
  changeProxyUser: (input: ChangeProxyUserInput, options?: CallOptions): Promise<ProxyUserState> =>
    call<ProxyUserState>({ method: 'PATCH', path: '/v1/residential-users/{user_id}' }, input, options),

  /**
   * Its lines are refused for good, and what they have open ends within a second. What it has used stays with the plan. Scope of the key:
   * `generate`.
   */
  removeProxyUser: (input: RemoveProxyUserInput, options?: CallOptions): Promise<RemovedProxyUser> =>
    call<RemovedProxyUser>({ method: 'DELETE', path: '/v1/residential-users/{user_id}' }, input, options),

  /**
   * A new password at once: lines with the old one are refused, and what they have open ends within a second. Scope of the key: `generate`.
   */
  resetProxyUserPassword: (input: ResetProxyUserPasswordInput, options?: CallOptions): Promise<ProxyUserState> =>
    call<ProxyUserState>({ method: 'POST', path: '/v1/residential-users/{user_id}/reset' }, input, options),

  /**
   * The total limit of a proxy user counts from now: it may use as much again. What it has used stays in every sum. Scope of the key:
   * `generate`.
   */
  renewProxyUser: (input: RenewProxyUserInput, options?: CallOptions): Promise<ProxyUserState> =>
    call<ProxyUserState>({ method: 'POST', path: '/v1/residential-users/{user_id}/renew' }, input, options),
});
