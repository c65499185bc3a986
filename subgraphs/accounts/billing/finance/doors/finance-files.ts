// Downloads of finance's exports.
import type { DoorParts } from '#platform/doors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { type FilePart, sendParts } from '#platform/send-parts.ts';

const PATH =
  /^\/finance\/(invoices|credit-notes|payments|refunds|disputes|journals|payouts|figures|figures-by-day|margins)(\.datev)?\.csv$/;

const DOCUMENT = `query financeFile($kind: FinanceExportKind!, $format: FinanceExportFormat!, $from: Date!, $to: Date!, $after: ID) {
  part: supportFinanceExport(kind: $kind, format: $format, from: $from, to: $to, after: $after) { text next }
}`;

/**
 * `GET /finance/{invoices|credit-notes|payments|refunds|disputes|journals|payouts|figures|figures-by-day|margins}.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`, and
 * `/finance/journals.datev.csv`, for staff. session_invalid 401, forbidden 403, parameter_invalid 400, action_not_allowed 409.
 */
export function createFinanceRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'finance',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, true);
      const [, name = '', datev] = PATH.exec(call.url.pathname) ?? [];
      const from = call.url.searchParams.get('from') ?? '';
      const to = call.url.searchParams.get('to') ?? '';
      const asked = { kind: name.toUpperCase().replaceAll('-', '_'), format: datev ? 'DATEV' : 'CSV', from, to };
      await sendParts(request, response, {
        name: `${datev ? 'EXTF_' : ''}${name}-${from}-${to}.csv`,
        contentType: `text/csv; charset=${datev ? 'windows-1252' : 'utf-8'}`,
        ...(datev && { encode: inWindows1252 }),
        partAfter: async (after) => (await ask<{ part: FilePart }>(DOCUMENT, { ...asked, after }, viewer)).part,
      });
    },
  };
}

/** Encodes the text of a posting batch: Latin-1, with the euro sign at its place in Windows-1252. */
const inWindows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');
