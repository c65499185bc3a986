// Decides which targets customers may reach: the public internet, and nothing of the operator's. Addresses are checked after name resolution, all that a
// name resolves to, and the connection goes to a checked address, so that a second resolution cannot give another one.
import { type BlockList, isIP } from 'node:net';
import { fail } from '#platform/errors.ts';
import { FORBIDDEN_PORTS, isListed, isPublicAddress, plainAddress, toBlockList } from '#platform/public-address.ts';
import type { ProductCode } from './protocol/product.ts';
import { type Exit, reaches } from './exit.ts';
import type { Resolver } from './resolver.ts';

export interface Endpoint {
  address: string;
  port: number;
}

export interface TargetRules {
  /** The addresses that this node listens on at a port; checked before everything else. */
  own: (port: number) => ReadonlySet<string> | undefined;
  /** All addresses of this machine, including exits: its services trust them more than the internet. */
  machine: () => ReadonlySet<string>;
  /** Addresses and names of exits and parents, which may not be targets. */
  exits?: { has(place: string): boolean };
  /** The demo's target site: the only endpoint outside the public internet that may be reached. Refused in production. */
  demo?: Endpoint | undefined;
  policy?: TargetPolicy | undefined;
  /** The operator's block lists. */
  blocklists?: { hasName(name: string): boolean; hasAddress(address: string): boolean } | undefined;
}

/** Rules for the lines of one product, in addition to those for all. */
export interface ProductPolicy {
  /** Only these ports, even those that are forbidden in general. */
  ports?: readonly number[] | undefined;
  forbiddenPorts?: readonly number[] | undefined;
  /** These names and their subdomains. */
  forbiddenNames?: readonly string[] | undefined;
}

/** An operator's rules. */
export interface TargetPolicy {
  /** The operator's own networks, CIDR. */
  forbiddenNetworks?: readonly string[] | undefined;
  /** Replaces FORBIDDEN_PORTS. */
  forbiddenPorts?: readonly number[] | undefined;
  products?: { readonly [Product in ProductCode | 'STATIC']?: ProductPolicy | undefined } | undefined;
}

/** The guard of each product; STATIC is for addresses of static plans. */
export interface TargetGuards {
  of(product: ProductCode | 'STATIC'): TargetGuard;
}

export interface TargetGuard {
  /** Throws `target_port_forbidden`. */
  checkPort(port: number): void;
  /**
   * Returns an address in its normal form, or a name to resolve. Throws `target_address_forbidden` for other spellings of addresses and for impossible
   * names, `target_listed` for a name on a block list.
   */
  readHost(host: string): { address: string } | { name: string };
  /** Throws `proxy_loop`, `target_address_forbidden` or `target_listed` when any of the addresses is refused. */
  checkAddresses(addresses: readonly string[], port: number): void;
  /** Checks a name that this node does not resolve. Throws `target_address_forbidden` for names that exist only in private networks. */
  checkUnresolved(name: string): void;
}

/** Labels of letters, digits, hyphens and underscores. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** A name whose last label is a number may be read as an address: 127.1, 0x7f000001, 2130706433, 0177.0.0.1. */
const NUMBER_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/** Suffixes outside the public DNS: RFC 6761, 6762 and 8375, ICANN's `internal`, and those that routers and clouds invented. */
const PRIVATE_SUFFIXES = new Set([
  'local',
  'internal',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
  'test',
  'invalid',
  'onion',
  'localdomain',
  'arpa',
]);
/** Services whose names resolve to any address, also a private one: a seller may not check what it resolves. */
const PRIVATE_NAMES = ['localtest.me', 'lvh.me', 'nip.io', 'sslip.io', 'xip.io', 'traefik.me'];

/** Whether the name is one of `parents` or a subdomain of one. */
export const isBelow = (name: string, parents: readonly string[]): boolean =>
  parents.some((parent) => name === parent || name.endsWith(`.${parent}`));

/** Loopback and unspecified addresses always reach this machine. */
const isLoopback = (address: string): boolean =>
  address === '0.0.0.0' || address === '::' || address === '::1' || address.startsWith('127.');

export function createTargetGuards(rules: TargetRules): TargetGuards {
  const operators = toBlockList(rules.policy?.forbiddenNetworks ?? []);
  const guards = new Map<ProductCode | 'STATIC', TargetGuard>();
  return {
    of(product) {
      let guard = guards.get(product);
      if (!guard) {
        guard = createGuard(rules, operators, rules.policy?.products?.[product] ?? {});
        guards.set(product, guard);
      }
      return guard;
    },
  };
}

function createGuard(
  { own, machine, exits, demo, policy, blocklists }: TargetRules,
  operators: BlockList,
  product: ProductPolicy,
): TargetGuard {
  const only = product.ports && new Set(product.ports);
  const forbidden = new Set([...(policy?.forbiddenPorts ?? FORBIDDEN_PORTS), ...(product.forbiddenPorts ?? [])]);
  const names = product.forbiddenNames ?? [];
  /** A port of this node may not be reached at any address of this machine. */
  const isLoop = (address: string, port: number) => {
    const addresses = own(port);
    return addresses !== undefined && (addresses.has(address) || isLoopback(address) || machine().has(address));
  };
  const isOurs = (address: string) => machine().has(address) || exits?.has(address) === true || isListed(operators, address);

  return {
    checkPort(port) {
      if (!Number.isInteger(port) || port < 1 || port > 65_535 || !(only ? only.has(port) : !forbidden.has(port)))
        throw fail('target_port_forbidden');
    },
    readHost(host) {
      const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
      // Only link-local addresses have a zone index.
      if (isIP(bare) !== 0 && !bare.includes('%')) return { address: plainAddress(bare) };
      const name = host.toLowerCase().replace(/\.$/, '');
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (!NAME.test(name) || NUMBER_LABEL.test(last) || last === 'localhost') throw fail('target_address_forbidden');
      if (exits?.has(name)) throw fail('target_address_forbidden');
      if (isBelow(name, names)) throw fail('target_address_forbidden', {}, 'This target is not allowed.');
      if (blocklists?.hasName(name)) throw fail('target_listed');
      return { name };
    },
    checkUnresolved(name) {
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (!name.includes('.') || PRIVATE_SUFFIXES.has(last) || isBelow(name, PRIVATE_NAMES)) throw fail('target_address_forbidden');
    },
    checkAddresses(addresses, port) {
      for (const given of addresses) {
        const address = plainAddress(given);
        if (isLoop(address, port)) throw fail('proxy_loop');
        if (demo && demo.address === address && demo.port === port) continue;
        if (!isPublicAddress(address) || isOurs(address)) throw fail('target_address_forbidden');
        if (blocklists?.hasAddress(address)) throw fail('target_listed');
      }
    },
  };
}

/** Resolves and checks the host. Returns an address that this exit can reach. Throws as the guard does, or `target_family_unreachable`. */
export async function judged(guard: TargetGuard, resolver: Resolver, exit: Exit, host: string, port: number): Promise<string> {
  guard.checkPort(port);
  const asked = guard.readHost(host);
  const addresses = 'name' in asked ? await resolver.resolve(asked.name) : [asked.address];
  guard.checkAddresses(addresses, port);
  const address = addresses.find((candidate) => reaches(exit, candidate));
  if (address === undefined) throw fail('target_family_unreachable');
  return address;
}
