// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface StaticNetwork {
  network_id: string;
  /** As 203.0.113.7/32 or 2001:db8::/64. */
  network: string;
  /** The address of the plan that it may use; null: all of them. */
  ip: string | null;
  note: string;
  created_at: string;
  /** When somebody last logged in from there, to the minute. */
  used_at: string | null;
}

export interface StaticNetworks {
  plan_id: string;
  /** true: lines need their password and one of the networks; nobody logs in by the address alone. */
  networks_and_password: boolean;
  networks: StaticNetwork[];
}

export interface ListStaticNetworksInput {
  /** Identifier of the static plan, from the list of static plans (_id). */
  plan_id: string;
}

export interface AddStaticNetworkInput {
  /** Identifier of the static plan, from the list of static plans (_id). */
  plan_id: string;
  /** One address of the plan; absent: all of them. */
  ip?: string;
  /** As 203.0.113.7, 203.0.113.0/28 or 2001:db8::/64. */
  network: string;
  /** What it is, at most 60 characters. */
  note?: string;
}

export interface RemoveStaticNetworkInput {
  /** Identifier of the network, from the list of the static plan (network_id). */
  network_id: string;
}

export interface SetStaticLogInInput {
  /** Identifier of the static plan, from the list of static plans (_id). */
  plan_id: string;
  /** true: both are needed. */
  networks_and_password: boolean;
}

export const staticNetworksMethods = (call: Call) => ({
  /**
   * The networks that one ISP or datacenter plan is used from without a password, and whether its lines need both. Of several that hold an
   * address the most specific is meant. Scope of the key: `read`.
   */
  listStaticNetworks: (input: ListStaticNetworksInput, options?: CallOptions): Promise<StaticNetworks> =>
    call<StaticNetworks>({ method: 'GET', path: '/v1/static/{plan_id}/networks' }, input, options),

  /**
   * Lets a network use one ISP or datacenter plan, or one address of it, without a password, on every proxy node within a second: an
   * address, or a network of at most /24 (IPv4) or /48 (IPv6). What it dials says which address it leaves from. Use it for clients that
   * cannot send proxy credentials. Scope of the key: `plans`.
   */
  addStaticNetwork: (input: AddStaticNetworkInput, options?: CallOptions): Promise<StaticNetworks> =>
    call<StaticNetworks>({ method: 'POST', path: '/v1/static/{plan_id}/networks' }, input, options),

  /**
   * New connections from a network need a password again, on every proxy node within a second, and open ones end. Answers with the networks
   * that are left. Scope of the key: `plans`.
   */
  removeStaticNetwork: (input: RemoveStaticNetworkInput, options?: CallOptions): Promise<StaticNetworks> =>
    call<StaticNetworks>({ method: 'DELETE', path: '/v1/static-networks/{network_id}' }, input, options),

  /**
   * Whether lines of one ISP or datacenter plan need their password and one of its networks (true), or either of the two (false). With true
   * and no network, nobody gets in. Scope of the key: `plans`.
   */
  setStaticLogIn: (input: SetStaticLogInInput, options?: CallOptions): Promise<StaticNetworks> =>
    call<StaticNetworks>({ method: 'PATCH', path: '/v1/static/{plan_id}/log-in' }, input, options),
});
