import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '#platform/address-group.ts';
import type { Log } from '#platform/log.ts';

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

/** Warns once of a reverse proxy that is not configured: all its clients then count as one address and share one limit. */
export function proxyNotice(trustProxyHops: number, log: Log): (request: IncomingMessage) => void {
  let isSilent = trustProxyHops > 0;
  return ({ headers }) => {
    if (isSilent || headers['x-forwarded-for'] === undefined) return;
    isSilent = true;
    log.warn(
      {},
      'a request came with X-Forwarded-For while TRUST_PROXY_HOPS is 0: behind a reverse proxy all its clients count as one address',
    );
  };
}
