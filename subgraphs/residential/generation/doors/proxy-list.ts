// Proxy lines at an address that tools fetch repeatedly. Whoever knows the address may read the lines, so the answer has nothing else, and errors are plain text.
import type { DoorParts } from '#platform/doors.ts';
import { systemViewer } from '#platform/identity.ts';
import { requireMethod, retryAfter } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

/** 256 bits in base64url. */
const PATH = /^\/lists\/([A-Za-z0-9_-]{43})\.txt$/;

const DOCUMENT = 'query proxyList($token: String!) { list: proxyList(token: $token) { text } }';

const HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** `GET /lists/{token}.txt`: one line per line. list_not_found and plan_expired 404, batch_outdated 409, each with a sentence as the body. */
export function createProxyListRoute({ ask }: Pick<DoorParts, 'ask'>): Route {
  return {
    name: 'proxy-list',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, { url, requestId, address }) {
      requireMethod(request, response, 'GET', 'HEAD');
      const token = PATH.exec(url.pathname)?.[1];
      const viewer = { ...systemViewer('proxy-list', requestId), address };
      const { list } = await ask<{ list: { text: string } }>(DOCUMENT, { token }, viewer);
      const body = Buffer.from(`${list.text}\n`);
      response.writeHead(200, { ...HEADERS, 'Content-Length': body.length }).end(request.method === 'HEAD' ? undefined : body);
    },
    refuse(failure, request, response) {
      const body = Buffer.from(`${failure.message}\n`);
      response
        .writeHead(failure.status, { ...HEADERS, 'Content-Length': body.length, 'X-Error-Code': failure.code, ...retryAfter(failure) })
        .end(request.method === 'HEAD' ? undefined : body);
    },
  };
}
