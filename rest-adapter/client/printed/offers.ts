// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface VpsLocation {
  name: string;
  /** What can be ordered there now, the smallest first; for example plank. */
  plans: string[];
}

export interface ListVpsLocationsData {
  locations: VpsLocation[];
}

export interface Offer {
  /** Signed: to be ordered as it is, once, until valid_until. */
  offer: string;
  title: string;
  /** Before tax, in minor units (cents), as all amounts. */
  subtotal: number;
  tax: number;
  total: number;
  currency: string;
  /** What each later period costs, with tax; null: it does not renew. */
  renews_for: number | null;
  renews_every_months: number | null;
  /** How many days what is bought is valid, from its delivery; null: for ever. */
  valid_days: number | null;
  /** Of the offer. */
  valid_until: string;
}

export interface ListVpsLocationsInput {
  /** Only where there is room for a VPS with this system. */
  os?: 'ubuntu_24_04' | 'ubuntu_25_04' | 'debian_12' | 'debian_13' | 'windows_server_2022';
  /** Only where there are so many addresses beside its own. Default: 0. */
  extra_ipv4?: number;
}

export interface GetResidentialOfferInput {
  product: 'premium' | 'private_residential' | 'mobile' | 'alt_residential';
  /** Whole GB. */
  gigabytes: number;
}

export interface GetStaticOfferInput {
  /** Id of a product of the catalogue, such as isp-northline. */
  product: string;
  /** How many addresses. */
  quantity: number;
}

export interface GetVpsOfferInput {
  plan: 'plank' | 'broglie' | 'einstein';
  /** How many months are paid upfront: 1, 3 or 6. */
  months: 1 | 3 | 6;
  /** The system to install. */
  os: 'ubuntu_24_04' | 'ubuntu_25_04' | 'debian_12' | 'debian_13' | 'windows_server_2022';
  /** Absent: it gets one. */
  hostname?: string;
  /** Addresses beside its own. Default: 0. */
  extra_ipv4?: number;
  /** Public keys, for Linux. */
  ssh_keys?: string[];
  /** Weekly backups. Default: false. */
  backups?: boolean;
  /** cloud-init's. */
  user_data?: string;
  /** One of list_vps_locations; absent: where there is room. */
  location?: string;
}

export interface GetDedicatedOfferInput {
  plan: 'faraday' | 'noether' | 'curie';
  /** How many months are paid upfront: 1, 3 or 6. */
  months: 1 | 3 | 6;
  /** The system to install. */
  os: 'ubuntu_24_04' | 'ubuntu_25_04' | 'debian_12' | 'debian_13' | 'windows_server_2022';
  /** Absent: it gets one. */
  hostname?: string;
}

export const offersMethods = (call: Call) => ({
  /**
   * Where a new VPS can be ordered, as `location` of get_vps_offer takes it, and the plans that there is room for now. Scope of the key:
   * `plans`.
   */
  listVpsLocations: (input: ListVpsLocationsInput = {}, options?: CallOptions): Promise<ListVpsLocationsData> =>
    call<ListVpsLocationsData>({ method: 'GET', path: '/v1/offers/vps/locations' }, input, options),

  /** What a new residential plan of so many GB costs now, as an offer that place_order takes. Buys nothing. Scope of the key: `plans`. */
  getResidentialOffer: (input: GetResidentialOfferInput, options?: CallOptions): Promise<Offer> =>
    call<Offer>({ method: 'POST', path: '/v1/offers/residential' }, input, options),

  /**
   * What so many ISP or datacenter addresses cost now for a month, as an offer that place_order takes. Buys nothing and holds nothing.
   * Scope of the key: `plans`.
   */
  getStaticOffer: (input: GetStaticOfferInput, options?: CallOptions): Promise<Offer> =>
    call<Offer>({ method: 'POST', path: '/v1/offers/static' }, input, options),

  /** What a VPS costs now, as an offer that place_order takes. Buys nothing. Scope of the key: `plans`. */
  getVpsOffer: (input: GetVpsOfferInput, options?: CallOptions): Promise<Offer> =>
    call<Offer>({ method: 'POST', path: '/v1/offers/vps' }, input, options),

  /** What a dedicated server costs now, as an offer that place_order takes. Buys nothing and holds nothing. Scope of the key: `plans`. */
  getDedicatedOffer: (input: GetDedicatedOfferInput, options?: CallOptions): Promise<Offer> =>
    call<Offer>({ method: 'POST', path: '/v1/offers/dedicated' }, input, options),
});
