// What lines of a proxy user are for, made ready once for all of its connections: from which places they leave, what they reach, who may use them.
import { type BlockList, isIP, isIPv4 } from 'node:net';
import { fail } from '#platform/errors.ts';
import { toBlockList } from '#platform/public-address.ts';
import type { LineRules } from './protocol/control-plane.ts';
import { isBelow } from './target-guard.ts';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

export class CompiledRules {
  readonly #countries: ReadonlySet<string> | undefined;
  readonly #names: readonly string[] | undefined;
  readonly #addresses: BlockList;
  readonly #clients: BlockList | undefined;

  constructor({ countries, targets, clients }: LineRules) {
    this.#countries = countries && new Set(countries);
    this.#names = targets?.filter((target) => isIP(target) === 0);
    this.#addresses = toBlockList(targets?.filter((target) => isIP(target) !== 0) ?? []);
    this.#clients = clients && toBlockList(clients);
  }

  /** Throws the first of what is not allowed: the client, the place, the target. */
  check(client: string, country: string, host?: string): void {
    this.checkClient(client);
    this.checkPlace(country);
    if (host !== undefined) this.checkTarget(host);
  }

  /** Throws `client_not_allowed`. */
  checkClient(client: string): void {
    if (this.#clients?.check(client, familyOf(client)) === false) throw fail('client_not_allowed');
  }

  /** `country` as the username says it, `any` where it says none. Throws `proxy_place_not_allowed`. */
  checkPlace(country: string): void {
    if (this.#countries?.has(country) === false) throw fail('proxy_place_not_allowed', { allowed: [...this.#countries] });
  }

  /** A name as it was asked for, or a literal address. Throws `proxy_target_not_allowed`. */
  checkTarget(host: string): void {
    if (!this.#names) return;
    const allowed = isIP(host) === 0 ? isBelow(host.toLowerCase(), this.#names) : this.#addresses.check(host, familyOf(host));
    if (!allowed) throw fail('proxy_target_not_allowed');
  }
}
