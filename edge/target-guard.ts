// Where a customer's traffic may go: the public internet, and nothing of the operator's. Addresses are judged after name resolution, every one that
// a name gave, and the judged address is the one that is dialled, so that a name cannot change its mind in between.
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
  /** Ports this node listens on, with their addresses; judged before anything is allowed. */
  own: (port: number) => ReadonlySet<string> | undefined;
  /** Every address of this machine, exits among them: its services trust it more than the internet does. */
  machine: () => ReadonlySet<string>;
  /** Where exits are, addresses or names of parents: traffic leaves from there and never goes there. */
  exits?: { has(place: string): boolean };
  /** The demo's target site: the one endpoint outside the public internet that may be reached. Refused in production. */
  demo?: Endpoint | undefined;
  policy?: TargetPolicy | undefined;
}

/** What lines of one product may reach, beside what holds for all. */
export interface ProductPolicy {
  /** These ports and no others, also one that is forbidden otherwise. */
  ports?: readonly number[] | undefined;
  forbiddenPorts?: readonly number[] | undefined;
  /** These names and all below them. */
  forbiddenNames?: readonly string[] | undefined;
}

/** An operator's own rules. */
export interface TargetPolicy {
  /** The operator's own networks, CIDR. */
  forbiddenNetworks?: readonly string[] | undefined;
  /** Replaces FORBIDDEN_PORTS. */
  forbiddenPorts?: readonly number[] | undefined;
  products?: { readonly [Product in ProductCode | 'STATIC']?: ProductPolicy | undefined } | undefined;
}

/** The guard of each product; STATIC are the addresses of static plans. */
export interface TargetGuards {
  of(product: ProductCode | 'STATIC'): TargetGuard;
}

export interface TargetGuard {
  /** Throws `target_port_forbidden`. */
  checkPort(port: number): void;
  /**
   * A literal address in its plain form, or a name to resolve. Throws `target_address_forbidden` for numbers in any other spelling and names that
   * cannot be.
   */
  readHost(host: string): { address: string } | { name: string };
  /** Throws `proxy_loop` or `target_address_forbidden`, for all of them when one is refused. */
  checkAddresses(addresses: readonly string[], port: number): void;
  /** Of a name that nobody here resolves. Throws `target_address_forbidden` for one that only somebody's own network can know. */
  checkUnresolved(name: string): void;
}

/** Labels of letters, digits, hyphens and underscores. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** A name whose last label is a number is an address in disguise: 127.1, 0x7f000001, 2130706433, 0177.0.0.1. */
const NUMBER_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/** Names without a place in the public tree: RFC 6762 and 8375, ICANN's `internal`, RFC 6761, and what routers and clouds make up. */
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
/** Services that turn any address into a name, private ones too: behind the seller nobody judges what they answer. */
const PRIVATE_NAMES = ['localtest.me', 'lvh.me', 'nip.io', 'sslip.io', 'xip.io', 'traefik.me'];

/** One of the names, or below one. */
export const isBelow = (name: string, parents: readonly string[]): boolean =>
  parents.some((parent) => name === parent || name.endsWith(`.${parent}`));

/** Loopback and "any" reach this machine, whatever its interfaces have. */
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

function createGuard({ own, machine, exits, demo, policy }: TargetRules, operators: BlockList, product: ProductPolicy): TargetGuard {
  const only = product.ports && new Set(product.ports);
  const forbidden = new Set([...(policy?.forbiddenPorts ?? FORBIDDEN_PORTS), ...(product.forbiddenPorts ?? [])]);
  const names = product.forbiddenNames ?? [];
  /** Where anything of this node listens on the port, no address of this machine is reached there. */
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
      // A zone index is for link-local addresses only.
      if (isIP(bare) !== 0 && !bare.includes('%')) return { address: plainAddress(bare) };
      const name = host.toLowerCase().replace(/\.$/, '');
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (!NAME.test(name) || NUMBER_LABEL.test(last) || last === 'localhost') throw fail('target_address_forbidden');
      if (exits?.has(name)) throw fail('target_address_forbidden');
      if (isBelow(name, names)) throw fail('target_address_forbidden', {}, 'This target is not allowed.');
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
      }
    },
  };
}

/** The address to send to from this exit: of all that the host means, each one judged. Throws as the guard does, or `exit_unavailable`. */
export async function judged(guard: TargetGuard, resolver: Resolver, exit: Exit, host: string, port: number): Promise<string> {
  guard.checkPort(port);
  const asked = guard.readHost(host);
  const addresses = 'name' in asked ? await resolver.resolve(asked.name) : [asked.address];
  guard.checkAddresses(addresses, port);
  const address = addresses.find((candidate) => reaches(exit, candidate));
  if (address === undefined) throw fail('target_family_unreachable');
  return address;
}
