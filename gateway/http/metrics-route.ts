import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail } from '#platform/errors.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Route } from '#platform/route.ts';

/**
 * `/metrics` for Prometheus, with `Authorization: Bearer <token>`; any other request gets a 404. The client's address is not checked, since with a reverse proxy on this
 * machine every request comes from it. Without a token only the health port serves the metrics.
 */
export function createMetricsRoute(metrics: Metrics, token?: string): Route {
  return {
    name: 'metrics',
    vital: true,
    matches: (pathname) => pathname === '/metrics',
    async handle(request, response, { logFields }) {
      logFields.quiet = true;
      if (!token || !hasToken(request, token)) throw fail('route_not_found');
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    },
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
