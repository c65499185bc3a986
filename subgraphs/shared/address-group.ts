// By what a client is counted: whoever has one IPv6 address has all 2^64 of its network, and a site often has a /48 (RFC 6177).
import { isIP } from 'node:net';

/** An IPv4 address as it is, an IPv6 one as its /64. Anything else stays as it is. */
export const addressGroup = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 4) : address);

/** The larger group, for ceilings: an IPv4 address as it is, an IPv6 one as its /48. Anything else stays as it is. */
export const addressSite = (address: string): string => (isIP(address) === 6 ? ipv6Network(address, 3) : address);

/** The first 16-bit groups of an address, each in its shortest spelling. */
function ipv6Network(address: string, groups: number): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return `${all
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${groups * 16}`;
}
