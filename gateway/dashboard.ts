// The built dashboard as files: hashed assets for ever, pages asked for again each time, and one page for every path that is no file.
import { existsSync } from 'node:fs';
import sirv from 'sirv';
import { fail } from '#shared/errors.ts';
import { requireMethod, sendJson } from './respond.ts';
import type { Route } from './route.ts';
import { PAGE_POLICY } from './security-headers.ts';

/** Paths that programs ask for: an unknown one is a 404 in JSON, never the dashboard's page. */
const PROGRAMS = /^\/(v\d+|graphql|mcp|auth|webhooks|usage-reports|health|metrics|openapi\.json|app-config\.json|_app)(\/|$)/;

/** Serves every path, so it is mounted last. `directory`: web/build. */
export function createDashboardRoute(directory: string): Route {
  const files = existsSync(directory)
    ? sirv(directory, {
        etag: true,
        brotli: true,
        gzip: true,
        single: '200.html',
        ignores: [PROGRAMS, /\.\w+$/],
        setHeaders(response, pathname) {
          const hashed = pathname.startsWith('/_app/immutable/');
          response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
          if (/html/.test(String(response.getHeader('Content-Type') ?? '')) || !/\.\w+$/.test(pathname)) {
            response.setHeader('Content-Security-Policy', PAGE_POLICY);
          }
        },
      })
    : undefined;
  return {
    name: 'dashboard',
    matches: () => true,
    handle(request, response, { url }) {
      if (PROGRAMS.test(url.pathname) && !url.pathname.startsWith('/_app/')) throw fail('route_not_found');
      requireMethod(request, response, 'GET', 'HEAD');
      if (!files) throw fail('route_not_found', {}, 'The dashboard is not built: run npm run build.');
      return new Promise((resolve, reject) => {
        response.once('close', resolve);
        files(request, response, () => reject(fail('route_not_found')));
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
