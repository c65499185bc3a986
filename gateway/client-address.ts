import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The client's address: of the socket, or what the outermost of `trustedHops` reverse proxies saw. Only that many entries of X-Forwarded-For,
 * counted from the right, were written by them; what stands left of these the client may have made up.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const peer = plain(request.socket.remoteAddress ?? 'unknown');
  if (trustedHops === 0) return peer;
  const header = request.headers['x-forwarded-for'];
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const seen = plain(entries[Math.max(0, entries.length - trustedHops)] ?? '');
  return isIP(seen) ? seen : peer;
}

/** IPv4 in IPv6 is the same client as IPv4. */
const plain = (address: string): string => (address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address);

/**
 * What one client can be counted by: an IPv4 address, or the /64 of an IPv6 one, since whoever has one address of it has all 2^64.
 */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
