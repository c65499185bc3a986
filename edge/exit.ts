// An exit: where traffic leaves from, and how it stands.
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
  /** As usernames carry them. */
  state?: string | undefined;
  city?: string | undefined;
  carrier?: string | undefined;
  asn?: number | undefined;
  /** Share of rotating traffic; default 1. */
  weight?: number | undefined;
  /** Connections at once; default no limit. */
  capacity?: number | undefined;
}

/** All of an IPv6 network that is routed to this machine: each session gets an address of its own. */
export type NetworkExit = ExitPlace & { kind: 'network'; network: string };

/** A parent proxy; it is given the address that was judged, never the name. */
export type ParentExit = ExitPlace & {
  kind: 'http' | 'socks5';
  host: string;
  port: number;
  username?: string | undefined;
  password?: string | undefined;
  /** The address that targets see, where the operator knows it. */
  outwardAddress?: string | undefined;
};

export type ExitDefinition = (ExitPlace & { kind: 'local'; address: string }) | NetworkExit | ParentExit | GatewayDefinition;

/** How a seller serves one place. */
export interface PlaceHealth {
  opened: number;
  faults: number;
  /** Times that the seller's exit stood elsewhere than it was asked for. */
  misplaced: number;
  /** In a row. */
  failures: number;
  /** Monotonic milliseconds; nothing is asked of it before. */
  outUntil: number;
}

export interface Exit {
  /** Replaced where the operator has changed it. */
  definition: ExitDefinition;
  /** As the ledger names it. */
  name: ExitName;
  /** Of its id: its place in the choice for sessions. */
  readonly hash: number;
  healthy: boolean;
  connections: number;
  /** Targets that failed by its own fault since one worked. */
  readonly failedTargets: Set<string>;
  /** It was put back after it had failed: the next fault takes it out again. */
  onTrial: boolean;
  /** Since the start: connections opened, and not opened by its own fault. */
  opened: number;
  faults: number;
  /** Monotonic milliseconds: its owner has asked for patience until then. */
  busyUntil: number;
  /** What only the operator can mend: it refuses our account. */
  trouble: string | undefined;
  /** Of a gateway: by place as lines ask for it. */
  readonly places: Map<string, PlaceHealth>;
}

const EUROPE = new Set(EUROPEAN_COUNTRIES);

/** A 32-bit finalizer (MurmurHash3): every bit of the input reaches every bit of the result. */
export function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** FNV-1a, finalized: a tenth of the time of a cryptographic hash, which nothing here needs. */
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

/** In one spelling, so that it is found by it. */
export function nameOf(definition: ExitDefinition): ExitName {
  const { id } = definition;
  const address = definition.kind === 'local' ? definition.address : 'outwardAddress' in definition ? definition.outwardAddress : undefined;
  return address === undefined ? { id } : { id, address: ipaddr.process(address).toString() };
}

/** Whether an exit can reach an address of this family at all. */
export const reaches = ({ definition }: Pick<Exit, 'definition'>, address: string): boolean =>
  definition.kind === 'local' ? isIP(definition.address) === isIP(address) : definition.kind === 'network' ? isIP(address) === 6 : true;

/** Whether it is told names of targets, and asks for their addresses itself. */
export const takesNames = ({ definition }: Pick<Exit, 'definition'>): boolean =>
  definition.kind === 'gateway' && definition.resolve === 'exit';

/** Templates of a gateway's log-in, read once for each definition. */
const templates = new WeakMap<GatewayDefinition, { username: LoginTemplate; password: LoginTemplate }>();
export function templatesOf(definition: GatewayDefinition) {
  let known = templates.get(definition);
  if (!known) {
    known = { username: readTemplate(definition.username), password: readTemplate(definition.password) };
    templates.set(definition, known);
  }
  return known;
}

/** Countries of a gateway that a line's country stands for; undefined: any that the seller likes. */
export function countriesFor({ countries }: GatewayDefinition, country: string): readonly string[] | undefined {
  if (country === 'any') return countries === '*' ? undefined : countries;
  if (country !== 'eu') return countries === '*' || countries.includes(country) ? [country] : [];
  return countries === '*' ? EUROPEAN_COUNTRIES : countries.filter((code) => EUROPE.has(code));
}

/** Whether lines of this product and place may leave by it. */
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

/** Whether it keeps a session as long as the line asks for. */
export function keepsSession(definition: ExitDefinition, { session, lifetime = 0 }: LineTarget): boolean {
  if (definition.kind !== 'gateway' || session === undefined) return true;
  const { username, password } = templatesOf(definition);
  const hasSession = username.variables.has('session') || password.variables.has('session');
  return hasSession && lifetime <= (definition.maxSessionMinutes ?? Infinity);
}

export const placeOf = ({ country, state, city, asn }: LineTarget): string =>
  `${country}/${state ?? ''}/${city ?? ''}${asn === undefined ? '' : `/${asn}`}`;

export function placeHealth({ places }: Exit, place: string): PlaceHealth {
  let health = places.get(place);
  if (!health) {
    health = { opened: 0, faults: 0, misplaced: 0, failures: 0, outUntil: 0 };
    places.set(place, health);
    // Places come from callers: the one that was first asked for goes.
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value as string);
  }
  return health;
}
const MAX_PLACES = 5_000;
