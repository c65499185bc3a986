// Values by network. Of the networks that an address is in, the most specific counts. A look-up costs one hash look-up for each prefix length that occurs,
// however many networks there are.
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isNetwork, plainAddress } from '#platform/address-group.ts';

/** The networks of one prefix length, by their first bits. */
interface Level<Prefix, Value> {
  length: number;
  values: Map<Prefix, Value>;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** Numbers hold the bits of IPv4 and are far cheaper than bigints. */
const ipv4Bits = (address: string): number => {
  let bits = 0;
  for (const part of address.split('.')) bits = bits * 256 + Number(part);
  return bits;
};
const ipv6Bits = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
/** The first `length` bits. */
const ipv4Prefix = (bits: number, length: number): number => Math.floor(bits / 2 ** (IPV4_BITS - length));
const ipv6Prefix = (bits: bigint, length: number): bigint => bits >> BigInt(IPV6_BITS - length);

export class NetworkTable<Value> {
  /** Longest prefixes first. */
  readonly #ipv4: Level<number, Value>[] = [];
  readonly #ipv6: Level<bigint, Value>[] = [];
  #size = 0;

  /** How many networks there are; each counts once. */
  get size(): number {
    return this.#size;
  }

  /** Returns false for what is neither an address nor a network such as 203.0.113.0/24. */
  set(network: string, value: Value): boolean {
    if (!isNetwork(network)) return false;
    const [address = '', length] = network.split('/');
    const isNew = isIPv4(address)
      ? put(this.#ipv4, { bits: ipv4Bits(address), length: Number(length ?? IPV4_BITS), prefix: ipv4Prefix, value })
      : put(this.#ipv6, { bits: ipv6Bits(address), length: Number(length ?? IPV6_BITS), prefix: ipv6Prefix, value });
    if (isNew) this.#size += 1;
    return true;
  }

  /** The value for an address; IPv4 may be mapped into IPv6. Undefined: it is in no network, or no address. */
  get(address: string): Value | undefined {
    if (this.#size === 0) return undefined;
    if (isIPv4(address)) return find(this.#ipv4, ipv4Bits(address), ipv4Prefix);
    const plain = plainAddress(address);
    if (plain !== address) return this.get(plain);
    return this.#ipv6.length > 0 && isIP(address) === 6 ? find(this.#ipv6, ipv6Bits(address), ipv6Prefix) : undefined;
  }
}

interface Entry<Prefix, Value> {
  bits: Prefix;
  length: number;
  prefix(bits: Prefix, length: number): Prefix;
  value: Value;
}

/** Returns whether the network was not there. */
function put<Prefix, Value>(levels: Level<Prefix, Value>[], { bits, length, prefix, value }: Entry<Prefix, Value>): boolean {
  let level = levels.find((one) => one.length === length);
  if (!level) {
    levels.push((level = { length, values: new Map() }));
    levels.sort((one, other) => other.length - one.length);
  }
  const known = level.values.size;
  return level.values.set(prefix(bits, length), value).size > known;
}

function find<Prefix, Value>(
  levels: readonly Level<Prefix, Value>[],
  bits: Prefix,
  prefix: (bits: Prefix, length: number) => Prefix,
): Value | undefined {
  for (const { length, values } of levels) {
    const found = values.get(prefix(bits, length));
    if (found !== undefined) return found;
  }
  return undefined;
}
