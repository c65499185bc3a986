// A page that tells its visitor the address that it sees: what a test of a proxy line asks through the line.
import { VISITOR_PATH } from '#lines/visitor-path.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

/** `GET /visitor`: `{ "address": "203.0.113.7" }`, nothing else and for everybody. */
export const createVisitorRoute = (): Route => ({
  name: 'visitor',
  matches: (pathname) => pathname === VISITOR_PATH,
  handle(request, response, { address }) {
    requireMethod(request, response, 'GET');
    sendJson(response, 200, { address }, { 'X-Robots-Tag': 'noindex' });
  },
});
