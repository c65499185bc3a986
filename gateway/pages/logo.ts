// Serves the operator's own logo, where one is configured. The file is read once, at the start.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { StartFailure } from '#platform/start-failure.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

export const LOGO_PATH = '/logo';

const TYPES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' };

/** Throws a StartFailure when the file is of no allowed type, and the error of `readFileSync` when it cannot be read. */
export function createLogoRoute(file: string): Route {
  const type = TYPES[extname(file).toLowerCase()];
  if (!type) throw new StartFailure(`The configuration is wrong: BRAND_LOGO_FILE must be an .svg, .png or .webp, not ${file}.`);
  const image = readFileSync(file);
  return {
    name: 'logo',
    matches: (pathname) => pathname === LOGO_PATH,
    handle(request, response) {
      requireMethod(request, response, 'GET', 'HEAD');
      response
        .writeHead(200, {
          'Content-Type': type,
          'Content-Length': image.length,
          'Cache-Control': 'public, max-age=3600',
          // An SVG that is opened by itself is a document: this policy allows it no scripts and no requests.
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
        })
        .end(request.method === 'HEAD' ? undefined : image);
    },
  };
}
