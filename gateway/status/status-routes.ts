// `/status.json` and `/status.rss`, from what the gateway itself keeps: both answer even when every subgraph is away. The page itself is one of the dashboard's.
import type { ServerResponse } from 'node:http';
import type { Clock } from '#platform/clock.ts';
import { LANGUAGE_CODES, languageOf } from '#platform/language.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import type { StatusBoard } from './status-board.ts';
import { statusFeed } from './status-feed.ts';

export interface StatusRouteOptions {
  board: StatusBoard;
  brand: string;
  publicUrl: string;
  clock: Clock;
}

/** The interval at which the platform is measured. */
const FRESH_SECONDS = 15;

export function createStatusRoutes({ board, brand, publicUrl, clock }: StatusRouteOptions): Route[] {
  const route = (path: string, type: string, textOf: (asked: URL, accepted: string | undefined) => string): Route => ({
    name: 'status',
    vital: true,
    matches: (pathname) => pathname === path,
    handle(request, response, { url, logFields }) {
      requireMethod(request, response, 'GET', 'HEAD');
      logFields.operation = path;
      send(response, type, textOf(url, request.headers['accept-language']), request.method === 'HEAD');
    },
  });
  return [
    route('/status.json', 'application/json; charset=utf-8', () => JSON.stringify({ brand, ...board.report() })),
    route('/status.rss', 'application/rss+xml; charset=utf-8', ({ searchParams }, accepted) => {
      const asked = LANGUAGE_CODES.find((code) => code === searchParams.get('language'));
      const language = asked ?? languageOf({ 'accept-language': accepted }) ?? 'en';
      return statusFeed(board.report(), { brand, publicUrl, language, now: clock.now() });
    }),
  ];
}

/** Allows caching and requests from any origin. */
function send(response: ServerResponse, type: string, text: string, headAlone: boolean): void {
  response
    .writeHead(200, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': `public, max-age=${FRESH_SECONDS}`,
      Vary: 'Accept-Language',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    .end(headAlone ? undefined : text);
}
