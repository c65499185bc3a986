// The rules of a proxy user, compiled once for all its connections: allowed exit countries, targets and client addresses.
import { type BlockList, isIP, isIPv4 } from 'node:net';
import { fail } from '#platform/errors.ts';
import { toBlockList } from '#platform/public-address.ts';
import type { ToldRules } from './protocol/control-plane.ts';
import { countriesOf } from './protocol/line-countries.ts';
import { NetworkTable } from './network-table.ts';
import { isBelow } from './target-guard.ts';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

export class CompiledRules {
  readonly #countries: ReadonlySet<string> | undefined;
  readonly #names: readonly string[] | undefined;
  readonly #addresses: BlockList;
  readonly #clients: BlockList | undefined;
  readonly #networks: NetworkTable<string> | undefined;

  constructor({ countries, targets, clients, networks }: ToldRules) {
    this.#countries = countries && new Set(countries);
    this.#names = targets?.filter((target) => isIP(target) === 0);
    this.#addresses = toBlockList(targets?.filter((target) => isIP(target) !== 0) ?? []);
    this.#clients = clients && toBlockList(clients);
    if (networks) this.#networks = new NetworkTable();
    for (const { id, network } of networks ?? []) this.#networks?.set(network, id);
  }

  /** Throws for the first that is not allowed: client, place, target. */
  check(client: string, country: string, host?: string): void {
    this.checkClient(client);
    this.checkPlace(country);
    if (host !== undefined) this.checkTarget(host);
  }

  /** Throws `client_not_allowed`. */
  checkClient(client: string): void {
    if (this.#clients?.check(client, familyOf(client)) === false) throw fail('client_not_allowed');
  }

  /** The id of the most specific entry of the plan's list that this client comes from; undefined: the list is of no matter, or it comes from none. */
  networkOf(client: string): string | undefined {
    return this.#networks?.get(client);
  }

  /** `country` as in the username, `any` without one; of several each must be allowed. Throws `proxy_place_not_allowed`. */
  checkPlace(country: string): void {
    const allowed = this.#countries;
    if (allowed && !countriesOf(country).every((code) => allowed.has(code)))
      throw fail('proxy_place_not_allowed', { allowed: [...allowed] });
  }

  /** `host`: the requested name, or an address. Throws `proxy_target_not_allowed`. */
  checkTarget(host: string): void {
    if (!this.#names) return;
    const allowed = isIP(host) === 0 ? isBelow(host.toLowerCase(), this.#names) : this.#addresses.check(host, familyOf(host));
    if (!allowed) throw fail('proxy_target_not_allowed');
  }
}
