// What finance exports, as files: asked for part by part and passed on as it comes, so that a year of journals needs no more memory than a day.
import { once } from 'node:events';
import type { DoorParts } from '#platform/doors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

const PATH = /^\/finance\/(invoices|credit-notes|payments|refunds|disputes|journals|payouts)(\.datev)?\.csv$/;

const DOCUMENT = `query financeFile($kind: FinanceExportKind!, $format: FinanceExportFormat!, $from: Date!, $to: Date!, $after: ID) {
  part: supportFinanceExport(kind: $kind, format: $format, from: $from, to: $to, after: $after) { text next }
}`;

interface Part {
  text: string;
  next: string | null;
}

/**
 * `GET /finance/{invoices|credit-notes|payments|refunds|disputes|journals|payouts}.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`, and `/finance/journals.datev.csv`, for staff.
 * session_invalid 401, forbidden 403, parameter_invalid 400, action_not_allowed 409.
 */
export function createFinanceRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'finance',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call);
      const [, name = '', datev] = PATH.exec(call.url.pathname) ?? [];
      const from = call.url.searchParams.get('from') ?? '';
      const to = call.url.searchParams.get('to') ?? '';
      const asked = { kind: name.toUpperCase().replace('-', '_'), format: datev ? 'DATEV' : 'CSV', from, to };
      const partAfter = async (after: string | null) => (await ask<{ part: Part }>(DOCUMENT, { ...asked, after }, viewer)).part;
      // Whatever is wrong with it is said by the first part, before anything is sent.
      let part = await partAfter(null);
      response.writeHead(200, {
        'Content-Type': `text/csv; charset=${datev ? 'windows-1252' : 'utf-8'}`,
        'Content-Disposition': `attachment; filename="${datev ? 'EXTF_' : ''}${name}-${from}-${to}.csv"`,
        'Cache-Control': 'no-store',
      });
      if (request.method === 'HEAD') return void response.end();
      while (true) {
        if (!response.write(datev ? inWindows1252(part.text) : part.text)) await once(response, 'drain');
        if (part.next === null || response.destroyed) break;
        part = await partAfter(part.next);
      }
      response.end();
    },
  };
}

/** Of what a posting batch can have: Latin-1, and the euro at its own place. */
const inWindows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');
