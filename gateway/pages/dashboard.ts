// Serves the built dashboard: hashed assets that browsers cache for ever, pages in the reader's language that they revalidate, and one shell page for every other path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';
import { because, fail } from '#platform/errors.ts';
import { languageOf } from '#platform/language.ts';
import { ACCOUNT_PAGES } from './account-pages.ts';
import type { Page, PublicPages } from './public-pages.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

/** Paths that programs use: an unknown one gets a 404 in JSON, never the dashboard's page. */
const PROGRAMS = /^\/(v\d+|graphql|mcp|auth|oauth|\.well-known|webhooks|usage-reports|health|metrics|openapi\.json|_app)(\/|$)/;

/** Paths of pages that are drawn in the browser. Any other path that is no file gets the same shell page with status 404, and the page then says so. */
const PAGES = new RegExp(`^/(connect|${ACCOUNT_PAGES.join('|')})(/|$)`);
/** Exists only until there is a first member of staff. */
const SET_UP = '/set-up';
const FILE = /\.\w+$/;

/**
 * Matches every path, so it is mounted last. `directory`: web/build. `pages` undefined: the dashboard is not built. `isSetUpOpen`: whether the page that makes the first
 * member of staff is available.
 */
export function createDashboardRoute(directory: string, pages: PublicPages | undefined, isSetUpOpen: () => Promise<boolean>): Route {
  const files = sirv(directory, {
    etag: true,
    brotli: true,
    gzip: true,
    // sirv must not serve pages: their HTML is sent by sendPage.
    extensions: [],
    ignores: [/.*/],
    setHeaders(response, pathname) {
      const hashed = pathname.startsWith('/_app/immutable/');
      response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return {
    name: 'dashboard',
    // Never refused for overload: a page does not work when one of its files is missing, and a file costs next to nothing.
    vital: true,
    matches: () => true,
    async handle(request, response, { url: { pathname }, logFields }) {
      logFields.operation = pathname;
      logFields.quiet = FILE.test(pathname) || pathname.startsWith('/_app/');
      if (PROGRAMS.test(pathname) && !pathname.startsWith('/_app/')) throw fail('route_not_found');
      requireMethod(request, response, 'GET', 'HEAD');
      if (!pages) throw fail('route_not_found', { reason: because('dashboard_not_built') });
      if (FILE.test(pathname) || pathname.startsWith('/_app/')) {
        if (pathname.endsWith('.html')) throw fail('route_not_found');
        return new Promise((resolve, reject) => {
          response.once('close', resolve);
          files(request, response, () => reject(fail('route_not_found')));
        });
      }
      const language = languageOf(request.headers) ?? 'en';
      const page = await pages.page(pathname, language);
      const isPage = page !== undefined || PAGES.test(pathname) || (pathname === SET_UP && (await isSetUpOpen()));
      sendPage(request, response, isPage ? 200 : 404, page ?? pages.shell(language));
    },
  };
}

function sendPage(request: IncomingMessage, response: ServerResponse, status: number, page: Page): void {
  const headers = {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': page.policy,
    ETag: page.etag,
    Vary: 'Accept-Encoding, Accept-Language, Cookie',
  };
  if (status === 200 && request.headers['if-none-match'] === page.etag) return void response.writeHead(304, headers).end();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const [coding, body] = /\bbr\b/.test(accepted)
    ? ['br', page.br]
    : /\bgzip\b/.test(accepted)
      ? ['gzip', page.gzip]
      : [undefined, page.html];
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': body.length,
      ...(coding && { 'Content-Encoding': coding }),
    })
    .end(request.method === 'HEAD' ? undefined : body);
}
