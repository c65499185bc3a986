// The built dashboard as files: hashed assets for ever, pages asked for again each time, and one page for every other path.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';
import { fail } from '#shared/errors.ts';
import { requireMethod, sendJson } from './respond.ts';
import type { Route } from './route.ts';
import { PAGE_POLICY } from './security-headers.ts';

/** Paths that programs ask for: an unknown one is a 404 in JSON, never the dashboard's page. */
const PROGRAMS = /^\/(v\d+|graphql|mcp|auth|webhooks|usage-reports|health|metrics|openapi\.json|app-config\.json|_app)(\/|$)/;

/** Where pages are drawn in the browser. On any other path that is no file the same page comes as a 404, and says so. */
const PAGES = 'home|residential|static|servers|billing|orders|developers|settings|support';
const ELSEWHERE = new RegExp(`^/(?!(${PAGES})(/|$))`);
const FILE = /\.\w+$/;

/** Serves every path, so it is mounted last. `directory`: web/build. */
export function createDashboardRoute(directory: string): Route {
  const files = existsSync(directory)
    ? sirv(directory, {
        etag: true,
        brotli: true,
        gzip: true,
        single: '200.html',
        ignores: [PROGRAMS, FILE, ELSEWHERE],
        setHeaders(response, pathname) {
          const hashed = pathname.startsWith('/_app/immutable/');
          response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
          if (/html/.test(String(response.getHeader('Content-Type') ?? '')) || !FILE.test(pathname)) {
            response.setHeader('Content-Security-Policy', PAGE_POLICY);
          }
        },
      })
    : undefined;
  const shell = files && readFileSync(join(directory, '200.html'));
  return {
    name: 'dashboard',
    matches: () => true,
    handle(request, response, { url }) {
      if (PROGRAMS.test(url.pathname) && !url.pathname.startsWith('/_app/')) throw fail('route_not_found');
      requireMethod(request, response, 'GET', 'HEAD');
      if (!files) throw fail('route_not_found', {}, 'The dashboard is not built: run npm run build.');
      return new Promise((resolve, reject) => {
        response.once('close', resolve);
        files(request, response, () => {
          if (url.pathname.startsWith('/_app/') || FILE.test(url.pathname)) return reject(fail('route_not_found'));
          response
            .writeHead(404, {
              'Content-Type': 'text/html; charset=utf-8',
              'Cache-Control': 'no-cache',
              'Content-Security-Policy': PAGE_POLICY,
            })
            .end(request.method === 'HEAD' ? undefined : shell);
        });
      });
    },
  };
}

/** `/app-config.json`: what the dashboard must know of this installation. Public. */
export const createAppConfigRoute = (config: object): Route => ({
  name: 'app-config',
  matches: (pathname) => pathname === '/app-config.json',
  handle(request, response) {
    requireMethod(request, response, 'GET', 'HEAD');
    sendJson(response, 200, config);
  },
});
