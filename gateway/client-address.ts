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
