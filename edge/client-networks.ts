// Finds the plan that a customer's address logs in to without a password, by the most specific network. Used only when no credentials are given.
import ipaddr from 'ipaddr.js';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { NODE_SECONDS } from '../schema/limits.ts';
import { followList } from './follow-list.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import { MAX_NETWORKS_USED } from './protocol/messages.ts';

/** Two reporting intervals, so that one lost report loses nothing. */
const USED_MS = 2 * NODE_SECONDS.report * SECOND;

interface ClientNetworksOptions {
  controlPlane: Pick<ControlPlane, 'networks' | 'follow'>;
  log: Log;
  monotonic: () => number;
}

interface Bits {
  /** Bits of an address of this family: 32 or 128. */
  width: number;
  value: bigint;
}

/** IPv4-mapped IPv6 addresses become IPv4. */
function toBits(address: string): Bits | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const bytes = ipaddr.process(address).toByteArray();
  return { width: bytes.length * 8, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) };
}

/** The networks of one family and prefix length, by their prefix. */
interface Level {
  width: number;
  length: number;
  byPrefix: Map<bigint, ClientNetwork>;
}

export class ClientNetworks {
  /** Longest prefixes first. */
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

  /** The username for lines from this address; undefined: it needs a password. */
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

  /** Ids of the networks that somebody has logged in from recently. */
  used(): string[] {
    const since = this.#monotonic() - USED_MS;
    return [...this.#usedAt].flatMap(([id, at]) => (at >= since ? [id] : [])).slice(0, MAX_NETWORKS_USED);
  }
}
