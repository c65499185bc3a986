// Networks that log in without a password, and which of them are in use. A network that is removed or changed ends what was opened by it.
import { SECOND } from '#platform/clock.ts';
import { NODE_SECONDS } from '../schema/limits.ts';
import { NetworkTable } from './network-table.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import { MAX_NETWORKS_USED } from './protocol/messages.ts';

/** Two reporting intervals, so that one lost report loses nothing. */
const USED_MS = 2 * NODE_SECONDS.report * SECOND;

export interface NetworkListOptions {
  monotonic: () => number;
  /** Called for each network that is no longer, or no longer the same. */
  ended?(network: ClientNetwork): void;
}

export class NetworkList {
  #table = new NetworkTable<ClientNetwork>();
  #byId: ReadonlyMap<string, ClientNetwork> = new Map();
  readonly #usedAt = new Map<string, number>();
  readonly #ended: ((network: ClientNetwork) => void) | undefined;
  readonly #monotonic: () => number;

  constructor({ monotonic, ended }: NetworkListOptions) {
    this.#ended = ended;
    this.#monotonic = monotonic;
  }

  set(networks: readonly ClientNetwork[]): void {
    const table = new NetworkTable<ClientNetwork>();
    // The platform always says how long the prefix is.
    for (const each of networks) if (each.network.includes('/')) table.set(each.network, each);
    this.#table = table;
    const before = this.#byId;
    this.#byId = new Map(networks.map((each) => [each.id, each]));
    for (const id of this.#usedAt.keys()) if (!this.#byId.has(id)) this.#usedAt.delete(id);
    for (const each of before.values()) if (!this.isListed(each)) this.#ended?.(each);
  }

  /** The most specific network that this address is in, which counts as used; undefined: it is in none. */
  of(address: string): ClientNetwork | undefined {
    const found = this.#table.get(address);
    if (found) this.#usedAt.set(found.id, this.#monotonic());
    return found;
  }

  /** Whether it is listed as it was. */
  isListed({ id, network, username }: ClientNetwork): boolean {
    const now = this.#byId.get(id);
    return now?.network === network && now.username === username;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Ids of the networks that somebody has logged in from recently. */
  used(): string[] {
    const since = this.#monotonic() - USED_MS;
    return [...this.#usedAt].flatMap(([id, at]) => (at >= since ? [id] : [])).slice(0, MAX_NETWORKS_USED);
  }
}
