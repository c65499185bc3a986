// Download of a dispute's pack of evidence, for staff only. The cookie of the session identifies the viewer, so that a plain link works.
import type { DoorParts } from '#platform/doors.ts';
import { systemViewer } from '#platform/identity.ts';
import { requireMethod, sendPdf } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { requirePermission } from '#platform/staff-rights.ts';

const PATH = /^\/support\/evidence\/(disp_[0-9a-z]{26})\.pdf$/;

const DOCUMENT = `query evidenceDocument($id: ID!) { document: evidenceDocument(id: $id) { fileName base64 } }`;

/** `GET /support/evidence/{id}.pdf`. session_invalid 401; forbidden, permission_missing 403; dispute_not_found 404. */
export function createEvidenceRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'evidence',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, true);
      requirePermission(viewer, 'disputes');
      const asDoor = { ...systemViewer('evidence', call.requestId), address: call.address };
      const variables = { id: PATH.exec(call.url.pathname)?.[1] };
      const { document } = await ask<{ document: { fileName: string; base64: string } }>(DOCUMENT, variables, asDoor);
      sendPdf(request, response, document);
    },
  };
}
