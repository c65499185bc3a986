// An account's copy of its data as a file. It is read page by page and streamed, so that ninety days of traffic need no more memory than one.
import { once } from 'node:events';
import type { DoorParts } from './doors.ts';
import type { KeptPage } from './kept-data.ts';
import { requireMethod } from './respond.ts';
import type { Route } from './route.ts';

/**
 * `GET /account/data/{part}.json`, for the account's owner; for staff with `?account=`: an object with an array of rows per table. `field`: the subgraph's
 * query for a page. session_invalid 401, forbidden and permission_missing 403.
 */
export function createDataRoute(part: string, field: string, { ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  const path = `/account/data/${part}.json`;
  const document = `query ownData($accountId: ID, $after: String) { page: ${field}(accountId: $accountId, after: $after) { table rows next } }`;
  return {
    name: `${part}_data`,
    matches: (pathname) => pathname === path,
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, true);
      const accountId = call.url.searchParams.get('account');
      const pageAfter = async (after: string | null) => (await ask<{ page: KeptPage }>(document, { accountId, after }, viewer)).page;
      // The first page reveals any error before the response begins.
      let page = await pageAfter(null);
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${part}.json"`,
        'Cache-Control': 'no-store',
      });
      if (request.method === 'HEAD') return void response.end();
      let open = '';
      while (true) {
        const text = page.rows.join(',\n');
        const begins = page.table === open ? text && ',\n' : `${open ? '],\n' : '{'}${JSON.stringify(page.table)}:[`;
        open = page.table;
        if (!response.write(begins + text)) await once(response, 'drain');
        if (page.next === null || response.destroyed) break;
        page = await pageAfter(page.next);
      }
      response.end(']}\n');
    },
  };
}
