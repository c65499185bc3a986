// Networks that log in without a password, and which of them are in use. A network that is removed or changed ends what was opened by it.
import { NetworkTable } from './network-table.ts';
import { NetworksInUse } from './networks-in-use.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import { MAX_NETWORKS_USED } from './protocol/messages.ts';

export interface NetworkListOptions {
  monotonic: () => number;
  /** Called for each network that is no longer, or no longer the same. */
  ended?(network: ClientNetwork): void;
}

export class NetworkList {
  #table = new NetworkTable<ClientNetwork>();
  #byId: ReadonlyMap<string, ClientNetwork> = new Map();
  readonly #inUse: NetworksInUse;
  readonly #ended: ((network: ClientNetwork) => void) | undefined;

  constructor({ monotonic, ended }: NetworkListOptions) {
    this.#ended = ended;
    this.#inUse = new NetworksInUse(monotonic);
  }

  set(networks: readonly ClientNetwork[]): void {
    const table = new NetworkTable<ClientNetwork>();
    // The platform always says how long the prefix is.
    for (const each of networks) if (each.network.includes('/')) table.set(each.network, each);
    this.#table = table;
    const before = this.#byId;
    this.#byId = new Map(networks.map((each) => [each.id, each]));
    this.#inUse.keep((id) => this.#byId.has(id));
    for (const each of before.values()) if (!this.isListed(each)) this.#ended?.(each);
  }

  /** The most specific network that this address is in, which counts as used; undefined: it is in none. */
  of(address: string): ClientNetwork | undefined {
    const found = this.#table.get(address);
    if (found) this.#inUse.note(found.id);
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

  /** Ids of the networks that somebody has logged in from recently, and of these others. */
  used(others?: NetworksInUse): string[] {
    return [...new Set([...this.#inUse.ids(), ...(others?.ids() ?? [])])].slice(0, MAX_NETWORKS_USED);
  }
}
