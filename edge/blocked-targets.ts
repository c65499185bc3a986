// The targets on the operator's block lists: names with all below them, addresses, networks. A look-up costs a few hash look-ups, however long the lists are.
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isNetwork } from '#platform/address-group.ts';

/** Networks of one prefix length, by their prefix. */
interface Level<Prefix> {
  length: number;
  prefixes: Set<Prefix>;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** `address` must be IPv4. */
const ipv4Number = (address: string): number => {
  let value = 0;
  for (const part of address.split('.')) value = value * 256 + Number(part);
  return value;
};
const ipv6Number = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
/** The first `length` bits. */
const ipv4Prefix = (value: number, length: number): number => Math.floor(value / 2 ** (IPV4_BITS - length));
const ipv6Prefix = (value: bigint, length: number): bigint => value >> BigInt(IPV6_BITS - length);

function addTo<Prefix>(levels: Level<Prefix>[], length: number, prefix: Prefix): boolean {
  let level = levels.find((one) => one.length === length);
  if (!level) levels.push((level = { length, prefixes: new Set() }));
  const known = level.prefixes.size;
  return level.prefixes.add(prefix).size > known;
}

export class BlockedTargets {
  readonly #names = new Set<string>();
  readonly #ipv4: Level<number>[] = [];
  readonly #ipv6: Level<bigint>[] = [];
  #size = 0;

  /** How many names and networks there are; each counts once. */
  get size(): number {
    return this.#size;
  }

  /** `name` in lower case. */
  addName(name: string): void {
    const known = this.#names.size;
    this.#size += this.#names.add(name).size - known;
  }

  /** Returns false for what is neither an address nor a network such as 203.0.113.0/24. */
  addNetwork(network: string): boolean {
    if (!isNetwork(network)) return false;
    const [address = '', bits] = network.split('/');
    const isNew = isIPv4(address)
      ? addTo(this.#ipv4, Number(bits ?? IPV4_BITS), ipv4Prefix(ipv4Number(address), Number(bits ?? IPV4_BITS)))
      : addTo(this.#ipv6, Number(bits ?? IPV6_BITS), ipv6Prefix(ipv6Number(address), Number(bits ?? IPV6_BITS)));
    if (isNew) this.#size += 1;
    return true;
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
    if (isIPv4(address)) {
      if (this.#ipv4.length === 0) return false;
      const value = ipv4Number(address);
      return this.#ipv4.some(({ length, prefixes }) => prefixes.has(ipv4Prefix(value, length)));
    }
    if (this.#ipv6.length === 0 || isIP(address) === 0) return false;
    const value = ipv6Number(address);
    return this.#ipv6.some(({ length, prefixes }) => prefixes.has(ipv6Prefix(value, length)));
  }
}
