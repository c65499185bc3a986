import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '#platform/address-group.ts';

/**
 * The client's address: that of the socket or, behind `trustedHops` reverse proxies, the one that the outermost of them saw. The proxies wrote that many entries of
 * X-Forwarded-For, counted from the right; the client may have made up those to the left.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? 'unknown');
  if (trustedHops === 0) return peer;
  const header = request.headers['x-forwarded-for'];
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const seen = plainAddress(entries[Math.max(0, entries.length - trustedHops)] ?? '');
  return isIP(seen) ? seen : peer;
}
