import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail } from '#shared/errors.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { Route } from './route.ts';

/** `/metrics` for Prometheus: from this machine itself, or with `Authorization: Bearer <token>`. To anyone else it does not exist. */
export function createMetricsRoute(metrics: Metrics, token?: string): Route {
  return {
    name: 'metrics',
    vital: true,
    matches: (pathname) => pathname === '/metrics',
    async handle(request, response) {
      if (!isLocal(request) && !(token && hasToken(request, token))) throw fail('route_not_found');
      const text = await metrics.registry.metrics();
      response.writeHead(200, { 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    },
  };
}

/** A reverse proxy on this machine also comes from here; it is known by what it adds. */
const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') && !headers['x-forwarded-for'] && !headers['forwarded'];

const digest = (text: string) => createHash('sha256').update(text).digest();

const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
