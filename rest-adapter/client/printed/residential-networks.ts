// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface ClientNetwork {
  network_id: string;
  /** As 203.0.113.7/32 or 2001:db8::/64. */
  network: string;
  /** What a line from there would say after the username: where it leaves from, and its session. */
  line: string;
  note: string;
  created_at: string;
  /** When somebody last logged in from there, to the minute. */
  used_at: string | null;
}

export interface ClientNetworks {
  /** The product_id of the plan. */
  product: string;
  /** true: lines need their password and one of the networks; nobody logs in by the address alone. */
  networks_and_password: boolean;
  networks: ClientNetwork[];
}

export interface ListClientNetworksInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
}

export interface AddClientNetworkInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** As 203.0.113.7, 203.0.113.0/28 or 2001:db8::/64. */
  network: string;
  /** A country name or code, several with commas between, Worldwide, or Europe. Default: Worldwide. */
  pool?: string;
  /** true: one IP address for the session lifetime. false: a fresh one for each connection. Default: true. */
  sticky?: boolean;
  /** Sticky session lifetime in minutes; in the product's list, also when sticky is false. Default: 60. */
  time?: number;
  /** State or subdivision; single-country pools only. */
  state?: string;
  /** City; single-country pools only. */
  city?: string;
  /** Countries with commas between that it does not leave from. */
  exclude?: string;
  /** What it is, at most 60 characters. */
  note?: string;
}

export interface RemoveClientNetworkInput {
  /** Identifier of the network, from the list of the plan (network_id). */
  network_id: string;
}

export interface SetPlanLogInInput {
  /** Identifier of the plan, from the plan list (product_id). */
  product_id: string;
  /** true: both are needed. */
  networks_and_password: boolean;
}

export const residentialNetworksMethods = (call: Call) => ({
  /**
   * The networks that one residential plan is used from without a password, and whether its lines need both. Of several that hold an
   * address the most specific is meant. Scope of the key: `read`.
   */
  listClientNetworks: (input: ListClientNetworksInput, options?: CallOptions): Promise<ClientNetworks> =>
    call<ClientNetworks>({ method: 'GET', path: '/v1/residential/{product_id}/networks' }, input, options),

  /**
   * Lets a network use one residential plan without a password, on every proxy node within a second: an address, or a network of at most
   * /24 (IPv4) or /48 (IPv6) that no other plan has. What comes from there leaves from the given place. Use it for clients that cannot send
   * proxy credentials. Scope of the key: `plans`.
   */
  addClientNetwork: (input: AddClientNetworkInput, options?: CallOptions): Promise<ClientNetworks> =>
    call<ClientNetworks>({ method: 'POST', path: '/v1/residential/{product_id}/networks' }, input, options),

  /**
   * New connections from a network need a password again, on every proxy node within a second. Answers with the networks that are left.
   * Scope of the key: `plans`.
   */
  removeClientNetwork: (input: RemoveClientNetworkInput, options?: CallOptions): Promise<ClientNetworks> =>
    call<ClientNetworks>({ method: 'DELETE', path: '/v1/residential-networks/{network_id}' }, input, options),

  /**
   * Whether lines of one residential plan need their password and one of its client networks (true), or either of the two (false). With
   * true and no network, nobody gets in. Scope of the key: `plans`.
   */
  setPlanLogIn: (input: SetPlanLogInInput, options?: CallOptions): Promise<ClientNetworks> =>
    call<ClientNetworks>({ method: 'PATCH', path: '/v1/residential/{product_id}/log-in' }, input, options),
});
