// Reads and writes the header of datagrams in a SOCKS5 UDP association. RFC 1928, section 7.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Datagram {
  host: string;
  port: number;
  payload: Buffer;
}

const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Undefined for invalid datagrams and for fragments, which RFC 1928 allows a proxy to drop. */
export function readDatagram(bytes: Buffer): Datagram | undefined {
  if (bytes.length < 10 || bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 0) return undefined;
  const type = bytes[3];
  const length =
    type === ADDRESS_TYPES.ipv4 ? 4 : type === ADDRESS_TYPES.ipv6 ? 16 : type === ADDRESS_TYPES.name ? 1 + (bytes[4] as number) : undefined;
  if (length === undefined || bytes.length < 6 + length) return undefined;
  const address = bytes.subarray(4, 4 + length);
  return {
    host: type === ADDRESS_TYPES.name ? address.toString('latin1', 1) : ipaddr.fromByteArray([...address]).toString(),
    port: bytes.readUInt16BE(4 + length),
    payload: bytes.subarray(6 + length),
  };
}

/** `host`: the target's address. */
export function writeDatagram({ host, port, payload }: Datagram): Buffer {
  const address = Buffer.from(ipaddr.parse(host).toByteArray());
  return Buffer.concat([
    Buffer.from([0, 0, 0, isIPv4(host) ? ADDRESS_TYPES.ipv4 : ADDRESS_TYPES.ipv6]),
    address,
    Buffer.from([port >> 8, port & 255]),
    payload,
  ]);
}
