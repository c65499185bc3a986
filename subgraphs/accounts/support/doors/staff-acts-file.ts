// The acts of members of staff in a span of days, as a CSV file.
import type { DoorParts } from '#platform/doors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { type FilePart, sendParts } from '#platform/send-parts.ts';

const PATH = '/support/staff-acts.csv';

const DOCUMENT = `query staffActsFile($from: Date!, $to: Date!, $after: ID) {
  part: supportStaffActsExport(from: $from, to: $to, after: $after) { text next }
}`;

/** `GET /support/staff-acts.csv?from=YYYY-MM-DD&to=YYYY-MM-DD`. session_invalid 401; forbidden, permission_missing 403; parameter_invalid 400. */
export function createStaffActsRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'staff-acts',
    matches: (pathname) => pathname === PATH,
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, true);
      const days = { from: call.url.searchParams.get('from') ?? '', to: call.url.searchParams.get('to') ?? '' };
      await sendParts(request, response, {
        name: `staff-acts-${days.from}-${days.to}.csv`,
        contentType: 'text/csv; charset=utf-8',
        partAfter: async (after) => (await ask<{ part: FilePart }>(DOCUMENT, { ...days, after }, viewer)).part,
      });
    },
  };
}
