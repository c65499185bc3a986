// An exit: where traffic leaves from, and its current state.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { EUROPEAN_COUNTRIES } from './protocol/pools.ts';
import type { GatewayDefinition } from './protocol/gateway.ts';
import type { LineTarget } from './protocol/line-username.ts';
import { type LoginTemplate, readTemplate, sellsPlace } from './protocol/login-template.ts';
import type { ExitName } from './protocol/origin.ts';
import type { ProductCode } from './protocol/product.ts';

export interface ExitPlace {
  id: string;
  products: readonly ProductCode[];
  /** Lower-case ISO 3166. */
  country: string;
  /** As written in usernames. */
  state?: string | undefined;
  city?: string | undefined;
  carrier?: string | undefined;
  asn?: number | undefined;
  /** Share of rotating traffic; default 1. */
  weight?: number | undefined;
  /** Simultaneous connections; default: no limit. */
  capacity?: number | undefined;
}

/** An IPv6 network that is routed to this machine: each session gets its own address. */
export type NetworkExit = ExitPlace & { kind: 'network'; network: string };

/** A parent proxy. It gets the checked address, never the name. */
export type ParentExit = ExitPlace & {
  kind: 'http' | 'socks5';
  host: string;
  port: number;
  username?: string | undefined;
  password?: string | undefined;
  /** The address that targets see, if the operator knows it. */
  outwardAddress?: string | undefined;
};

export type ExitDefinition = (ExitPlace & { kind: 'local'; address: string }) | NetworkExit | ParentExit | GatewayDefinition;

/** How well a seller's gateway serves one place. */
export interface PlaceHealth {
  opened: number;
  faults: number;
  /** How often the seller gave an exit in another place than the one asked for. */
  misplaced: number;
  /** Consecutive ones. */
  failures: number;
  /** Monotonic milliseconds; the place is not used before. */
  outUntil: number;
}

export interface Exit {
  /** Replaced when the operator changes it. */
  definition: ExitDefinition;
  /** Its name in the ledger. */
  name: ExitName;
  /** Hash of its id: its position in the table for sessions. */
  readonly hash: number;
  healthy: boolean;
  connections: number;
  /** Targets that failed through the exit's fault since the last success. */
  readonly failedTargets: Set<string>;
  /** It was put back after a failure: the next fault takes it out again. */
  onTrial: boolean;
  /** Since the start: connections opened, and connections that failed through its fault. */
  opened: number;
  faults: number;
  /** Monotonic milliseconds: its owner has asked us to wait until then. */
  busyUntil: number;
  /** A fault that only the operator can mend: the seller refuses our account. */
  trouble: string | undefined;
  /** For a gateway: by the place that lines ask for. */
  readonly places: Map<string, PlaceHealth>;
}

const EUROPE = new Set(EUROPEAN_COUNTRIES);

/** The 32-bit finalizer of MurmurHash3: every bit of the input affects every bit of the result. */
export function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** FNV-1a with a finalizer: ten times faster than a cryptographic hash, which is not needed here. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixed(hash);
}

export const createExit = (definition: ExitDefinition): Exit => ({
  definition,
  name: nameOf(definition),
  hash: hashOf(definition.id),
  healthy: true,
  connections: 0,
  failedTargets: new Set(),
  onTrial: false,
  opened: 0,
  faults: 0,
  busyUntil: 0,
  trouble: undefined,
  places: new Map(),
});

/** The address is normalised, so that it can be searched for. */
export function nameOf(definition: ExitDefinition): ExitName {
  const { id } = definition;
  const address = definition.kind === 'local' ? definition.address : 'outwardAddress' in definition ? definition.outwardAddress : undefined;
  return address === undefined ? { id } : { id, address: ipaddr.process(address).toString() };
}

/** Whether its sessions have addresses of their own, so that it is told of them. */
export const hasManyAddresses = ({ definition: { kind } }: Pick<Exit, 'definition'>): boolean => kind === 'network' || kind === 'gateway';

/** Whether an exit can reach addresses of this family. */
export const reaches = ({ definition }: Pick<Exit, 'definition'>, address: string): boolean =>
  definition.kind === 'local' ? isIP(definition.address) === isIP(address) : definition.kind === 'network' ? isIP(address) === 6 : true;

/** Whether it gets the names of targets and resolves them itself. */
export const takesNames = ({ definition }: Pick<Exit, 'definition'>): boolean =>
  definition.kind === 'gateway' && definition.resolve === 'exit';

/** Parsed templates of a gateway's log-in, cached per definition. */
const templates = new WeakMap<GatewayDefinition, { username: LoginTemplate; password: LoginTemplate }>();
export function templatesOf(definition: GatewayDefinition) {
  let known = templates.get(definition);
  if (!known) {
    known = { username: readTemplate(definition.username), password: readTemplate(definition.password) };
    templates.set(definition, known);
  }
  return known;
}

/** The gateway's countries that match a line's country; undefined: any that the seller chooses. */
export function countriesFor({ countries }: GatewayDefinition, country: string): readonly string[] | undefined {
  if (country === 'any') return countries === '*' ? undefined : countries;
  if (country !== 'eu') return countries === '*' || countries.includes(country) ? [country] : [];
  return countries === '*' ? EUROPEAN_COUNTRIES : countries.filter((code) => EUROPE.has(code));
}

/** Whether lines of this product and place may use this exit. The place is in one country, Europe or anywhere. */
export function serves(definition: ExitDefinition, product: ProductCode, { country, state, city, asn }: LineTarget): boolean {
  if (!definition.products.includes(product)) return false;
  if (definition.kind !== 'gateway')
    return (
      (country === 'any' || (country === 'eu' ? EUROPE.has(definition.country) : country === definition.country)) &&
      (state === undefined || state === definition.state) &&
      (city === undefined || city === definition.city) &&
      (asn === undefined || Number(asn) === definition.asn)
    );
  if (countriesFor(definition, country)?.length === 0) return false;
  const { username, password } = templatesOf(definition);
  const can = (variable: 'country' | 'state' | 'city' | 'asn' | 'session') =>
    username.variables.has(variable) || password.variables.has(variable);
  return (
    (country === 'any' || can('country') || definition.countries.length === 1) &&
    (state === undefined || can('state')) &&
    (city === undefined || can('city')) &&
    (asn === undefined || can('asn')) &&
    sellsPlace({ country, state, city }, definition.names)
  );
}

/** Whether the exit can keep a session as long as the line asks for. */
export function keepsSession(definition: ExitDefinition, { session, lifetime = 0 }: LineTarget): boolean {
  if (definition.kind !== 'gateway' || session === undefined) return true;
  const { username, password } = templatesOf(definition);
  const hasSession = username.variables.has('session') || password.variables.has('session');
  return hasSession && lifetime <= (definition.maxSessionMinutes ?? Infinity);
}

export const placeOf = ({ country, not, state, city, asn }: LineTarget): string =>
  `${country}${not === undefined ? '' : `!${not}`}/${state ?? ''}/${city ?? ''}${asn === undefined ? '' : `/${asn}`}`;

export function placeHealth({ places }: Exit, place: string): PlaceHealth {
  let health = places.get(place);
  if (!health) {
    health = { opened: 0, faults: 0, misplaced: 0, failures: 0, outUntil: 0 };
    places.set(place, health);
    // Places come from customers: the oldest one is dropped.
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value as string);
  }
  return health;
}
const MAX_PLACES = 5_000;
