// The log of a plan's requests as a file for spreadsheets and scripts: asked for page by page and passed on as it comes. The session's cookie identifies the owner,
// so that a plain link works.
import { once } from 'node:events';
import { csvLine } from '#platform/csv.ts';
import type { DoorParts } from '#platform/doors.ts';
import { fail } from '#platform/errors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { MAX_FIRST } from '../domain/request-log.ts';

const PATH = /^\/residential\/(plan_[0-9a-z]{26})\/requests\.csv$/;

const DOCUMENT = `query requestExport($id: ID!, $first: Int!, $after: ID, $filter: RequestLogFilter) {
  residentialPlan(id: $id) {
    requestLog {
      entries(first: $first, after: $after, filter: $filter) {
        id at durationMs host port status upBytes downBytes country state city session userId error { code message hint }
      }
    }
  }
}`;

interface Entry {
  id: string;
  at: string;
  durationMs: number;
  host: string | null;
  port: number | null;
  status: number | null;
  upBytes: string;
  downBytes: string;
  country: string | null;
  state: string | null;
  city: string | null;
  session: string | null;
  userId: string | null;
  error: { code: string; message: string; hint: string | null } | null;
}

const COLUMNS: readonly [name: string, of: (entry: Entry) => string | number | null][] = [
  ['at', ({ at }) => at],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['host', ({ host }) => host],
  ['port', ({ port }) => port],
  ['status', ({ status }) => status],
  ['up_bytes', ({ upBytes }) => upBytes],
  ['down_bytes', ({ downBytes }) => downBytes],
  ['country', ({ country }) => country],
  ['state', ({ state }) => state],
  ['city', ({ city }) => city],
  ['session', ({ session }) => session],
  ['user_id', ({ userId }) => userId],
  ['error', ({ error }) => error?.code ?? null],
  ['message', ({ error }) => error?.message ?? null],
  ['hint', ({ error }) => error?.hint ?? null],
];

const toLine = (entry: Entry): string =>
  csvLine(COLUMNS.map(([, of]) => of(entry)).map((value) => (value === null ? null : String(value))));

/**
 * `GET /residential/{planId}/requests.csv?host=&status=&error=&failed=1&user=&session=&from=&to=`, for the plan's owner: the newest first. session_invalid 401,
 * plan_not_found 404, parameter_invalid 400.
 */
export function createRequestExportRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'request-export',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, 'read');
      const id = PATH.exec(call.url.pathname)?.[1] ?? '';
      const filter = filterOf(call.url.searchParams);
      const pageAfter = async (after: string | null): Promise<Entry[]> => {
        const variables = { id, first: MAX_FIRST, after, filter };
        return (await ask<{ residentialPlan: { requestLog: { entries: Entry[] } } }>(DOCUMENT, variables, viewer)).residentialPlan
          .requestLog.entries;
      };
      // Whatever is wrong is said by the first page, before anything is sent.
      let page = await pageAfter(null);
      response.writeHead(200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="requests-${id}.csv"`,
        'Cache-Control': 'no-store',
      });
      if (request.method === 'HEAD') return void response.end();
      response.write(csvLine(COLUMNS.map(([name]) => name)));
      for (;;) {
        if (!response.write(page.map(toLine).join(''))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        const last = page.at(MAX_FIRST - 1);
        if (!last || response.destroyed) break;
        page = await pageAfter(last.id);
      }
      response.end();
    },
  };
}

/** Throws `parameter_invalid`. */
function filterOf(asked: URLSearchParams): object {
  const text = (name: string) => asked.get(name) || null;
  const status = text('status');
  if (status !== null && !/^\d{3}$/.test(status)) throw fail('parameter_invalid', { field: 'status' });
  return {
    from: text('from'),
    to: text('to'),
    host: text('host'),
    status: status === null ? null : Number(status),
    error: text('error'),
    onlyFailed: text('failed') === '1',
    userId: text('user'),
    session: text('session'),
  };
}
