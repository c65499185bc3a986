// Refuses requests that pages of other sites send with a session cookie. A request without Origin and Sec-Fetch-Site is not a browser's request across sites.
import type { IncomingMessage } from 'node:http';
import { fail } from '#platform/errors.ts';

export interface OriginPolicy {
  /** Throws `origin_forbidden` for a request that another site's page made. */
  check(request: IncomingMessage): void;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** `publicUrl` is called for each request, since a free port is known only when it is taken. All loopback names count as the same host. */
export function createOriginPolicy(publicUrl: () => string): OriginPolicy {
  let known = '';
  let allowed = new Set<string>();
  const allowedNow = () => {
    if (known !== publicUrl()) {
      known = publicUrl();
      const { protocol, hostname, port, origin } = new URL(known);
      const names = LOOPBACK.includes(hostname) ? LOOPBACK : [];
      allowed = new Set([
        origin,
        ...names.map((name) => new URL(`${protocol}//${name}:${port || (protocol === 'https:' ? 443 : 80)}`).origin),
      ]);
    }
    return allowed;
  };
  return {
    check({ headers }) {
      const { origin } = headers;
      if (origin !== undefined && !allowedNow().has(origin)) throw fail('origin_forbidden');
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw fail('origin_forbidden');
    },
  };
}
