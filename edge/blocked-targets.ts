// The targets on the operator's block lists: names with all below them, addresses, networks. A look-up costs a few hash look-ups, however long the lists are.
import { NetworkTable } from './network-table.ts';

export class BlockedTargets {
  readonly #names = new Set<string>();
  readonly #networks = new NetworkTable<true>();

  /** How many names and networks there are; each counts once. */
  get size(): number {
    return this.#names.size + this.#networks.size;
  }

  /** `name` in lower case. */
  addName(name: string): void {
    this.#names.add(name);
  }

  /** Returns false for what is neither an address nor a network such as 203.0.113.0/24. */
  addNetwork(network: string): boolean {
    return this.#networks.set(network, true);
  }

  /** `name` in lower case: it, or a name that it is below. */
  hasName(name: string): boolean {
    if (this.#names.size === 0) return false;
    for (let from = 0; ;) {
      if (this.#names.has(from === 0 ? name : name.slice(from))) return true;
      const dot = name.indexOf('.', from);
      if (dot === -1) return false;
      from = dot + 1;
    }
  }

  /** `address` in its plain form. */
  hasAddress(address: string): boolean {
    return this.#networks.get(address) === true;
  }
}
