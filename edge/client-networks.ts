// Which plan a customer's address logs in to without a password: the most specific network that has it. Asked only for who shows no credentials.
import ipaddr from 'ipaddr.js';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { NODE_SECONDS } from '../schema/limits.ts';
import { followList } from './follow-list.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import { MAX_NETWORKS_USED } from './protocol/messages.ts';

/** Twice as long as between two reports: one that is lost loses none. */
const USED_MS = 2 * NODE_SECONDS.report * SECOND;

interface ClientNetworksOptions {
  controlPlane: Pick<ControlPlane, 'networks' | 'follow'>;
  log: Log;
  monotonic: () => number;
}

interface Bits {
  /** Of the family: 32 or 128. */
  width: number;
  value: bigint;
}

/** IPv4 in IPv6 is IPv4. */
function toBits(address: string): Bits | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const bytes = ipaddr.process(address).toByteArray();
  return { width: bytes.length * 8, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) };
}

/** Those of one family and one length of prefix, by their prefix. */
interface Level {
  width: number;
  length: number;
  byPrefix: Map<bigint, ClientNetwork>;
}

export class ClientNetworks {
  /** The longest prefixes first. */
  #levels: readonly Level[] = [];
  readonly #usedAt = new Map<string, number>();
  readonly #monotonic: () => number;
  readonly #stop: () => void;

  constructor({ controlPlane, log, monotonic }: ClientNetworksOptions) {
    this.#monotonic = monotonic;
    const { networks: list } = controlPlane;
    this.#stop = followList({ list, controlPlane, news: 'networksChanged', log, known: (known) => this.set(known) });
  }

  close(): void {
    this.#stop();
  }

  set(networks: readonly ClientNetwork[]): void {
    const levels = new Map<string, Level>();
    for (const network of networks) {
      const [address = '', bits = ''] = network.network.split('/');
      const read = toBits(address);
      const length = Number(bits);
      if (!read || !/^\d{1,3}$/.test(bits) || length > read.width) continue;
      const key = `${read.width}/${length}`;
      const level = levels.get(key) ?? { width: read.width, length, byPrefix: new Map<bigint, ClientNetwork>() };
      level.byPrefix.set(read.value >> BigInt(read.width - length), network);
      levels.set(key, level);
    }
    this.#levels = [...levels.values()].sort((one, other) => other.length - one.length);
    const ids = new Set(networks.map(({ id }) => id));
    for (const id of this.#usedAt.keys()) if (!ids.has(id)) this.#usedAt.delete(id);
  }

  /** What a line from this address would say; undefined: it has to show a password. */
  usernameOf(address: string): string | undefined {
    const bits = this.#levels.length > 0 ? toBits(address) : undefined;
    if (!bits) return undefined;
    for (const { width, length, byPrefix } of this.#levels) {
      if (width !== bits.width) continue;
      const found = byPrefix.get(bits.value >> BigInt(width - length));
      if (!found) continue;
      this.#usedAt.set(found.id, this.#monotonic());
      return found.username;
    }
    return undefined;
  }

  /** Ids of those that somebody has logged in from since the last reports. */
  used(): string[] {
    const since = this.#monotonic() - USED_MS;
    return [...this.#usedAt].flatMap(([id, at]) => (at >= since ? [id] : [])).slice(0, MAX_NETWORKS_USED);
  }
}
