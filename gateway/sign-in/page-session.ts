import { fail } from '#platform/errors.ts';
import type { DoorParts } from '#platform/doors.ts';
import { isPerson } from '#platform/identity.ts';
import { originOf } from '#platform/route.ts';
import type { Access } from './access.ts';
import type { SessionCookie } from './session-cookie.ts';

/** The session of the page that sent a request: read from its cookie and looked up in accounts. Throws session_invalid, also without a cookie, team_role_missing and impersonation_reads_only. */
export const pageSession =
  ({ access, cookie }: { access: Pick<Access, 'sessionNow'>; cookie: Pick<SessionCookie, 'read'> }): DoorParts['session'] =>
  async (request, call, permission) => {
    const token = cookie.read(request);
    if (!token) throw fail('session_invalid');
    const viewer = await access.sessionNow(token, originOf(call));
    if (viewer.impersonation && request.method !== 'GET') throw fail('impersonation_reads_only');
    if (!isPerson(viewer, permission)) throw fail('team_role_missing');
    call.logFields.caller = viewer;
    return viewer;
  };
