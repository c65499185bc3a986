import { type Readiness, mayBeSent } from '#platform/readiness.ts';
import { sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

const RETRY_SECONDS = '2';

/** `/health/live`: the process answers. `/health/ready`: 200, or 503 when a vital part does not work or the process stops; the body says which parts do not work. */
export function createHealthRoute(readiness: () => Promise<Readiness>): Route {
  return {
    name: 'health',
    vital: true,
    matches: (pathname) => pathname === '/health/live' || pathname === '/health/ready',
    async handle(_request, response, { url, logFields }) {
      logFields.quiet = true;
      if (url.pathname === '/health/live') return sendJson(response, 200, { status: 'ok' });
      const report = await readiness();
      const isReady = mayBeSent(report);
      sendJson(response, isReady ? 200 : 503, report, isReady ? {} : { 'Retry-After': RETRY_SECONDS });
    },
  };
}
