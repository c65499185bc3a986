// How addresses of clients are grouped to count them, and read: a client with one IPv6 address has all 2^64 of its /64, and a site often has a /48 (RFC 6177).
import { isIP, isIPv4 } from 'node:net';

/** An IPv4 address as it is (also one that is mapped into IPv6), an IPv6 address as its /64. Anything else stays as it is. */
export const addressGroup = (address: string): string => networkOf(plainAddress(address), 4);

/** The larger group, for ceilings: an IPv4 address as it is, an IPv6 address as its /48. Anything else stays as it is. */
export const addressSite = (address: string): string => networkOf(plainAddress(address), 3);

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), in either spelling, as the IPv4 address: it is the same client. Anything else stays as it is. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xff_ff) return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The network of an IPv6 address that its first 16-bit groups name, in the shortest spelling. Anything else stays as it is. */
const networkOf = (address: string, groups: number): string =>
  isIP(address) === 6
    ? `${groupsOf(address)
        .slice(0, groups)
        .map((group) => group.toString(16))
        .join(':')}::/${groups * 16}`
    : address;

/** The eight 16-bit groups of an IPv6 address, without its zone; the last two may be written as IPv4. */
export function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const [left, right] = [read(head), read(tail ?? '')];
  return tail === undefined ? left : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

const read = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });

/** Whether this is an address, or a network such as 198.51.100.0/24 or 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}
