// What search engines ask for beside the pages: which they may read, and where those are.
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { ACCOUNT_PAGES } from './account-pages.ts';
import { isListed } from './page-head.ts';
import { SITEMAP_TYPE, sitemapOf } from './sitemap.ts';

/** `/robots.txt` and `/sitemap.xml`; `paths`: the public pages. Those of an account show nothing to an engine. */
export function createEngineFiles(origin: string, paths: readonly string[]): Route {
  const sitemap = new URL('/sitemap.xml', origin).href;
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/robots.txt': [
      'text/plain; charset=utf-8',
      `User-agent: *\n${ACCOUNT_PAGES.map((name) => `Disallow: /${name}\n`).join('')}\nSitemap: ${sitemap}\nSitemap: ${new URL('/docs/sitemap.xml', origin).href}\n`,
    ],
    '/sitemap.xml': [SITEMAP_TYPE, sitemapOf(origin, paths.filter(isListed))],
  };
  return {
    name: 'engine files',
    matches: (pathname) => pathname in files,
    handle(request, response, { url: { pathname } }) {
      requireMethod(request, response, 'GET', 'HEAD');
      const [type, text] = files[pathname] ?? ['text/plain', ''];
      response
        .writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'public, max-age=3600' })
        .end(request.method === 'HEAD' ? undefined : text);
    },
  };
}
