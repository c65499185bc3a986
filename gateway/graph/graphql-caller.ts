// Who sends a request to /graphql or below it: a key, which is counted and told its rate, or a session of this site.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { type Call, originOf } from '#platform/route.ts';
import type { OriginPolicy } from '../http/origins.ts';
import { type Rate, rateHeaders } from '../http/rate-limit.ts';
import type { Access } from '../sign-in/access.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';
import type { GraphqlAdmission } from './graphql-admission.ts';

export interface CallerParts {
  access: Pick<Access, 'admitKey' | 'admitSession'>;
  admission: Pick<GraphqlAdmission, 'takeOfAddress' | 'takeOf'>;
  cookie: Pick<SessionCookie, 'read'>;
  origins: OriginPolicy;
}

/** Sets the rate headers for a key. Throws the failure of a key that is not admitted, and `origin_forbidden` for another site's session. */
export async function graphqlCaller(
  { access, admission, cookie, origins }: CallerParts,
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
): Promise<{ viewer: Viewer; rate?: Rate }> {
  const origin = originOf(call);
  const { authorization } = request.headers;
  if (authorization === undefined) {
    origins.check(request);
    admission.takeOfAddress(call.address);
    const viewer = await access.admitSession(cookie.read(request), origin);
    admission.takeOf(viewer);
    return { viewer };
  }
  const { viewer, failure, rate } = await access.admitKey(authorization, origin);
  setRate(response, rate);
  if (!viewer) throw failure ?? fail('internal');
  return { viewer, rate };
}

export function setRate(response: ServerResponse, rate: Rate, cost?: Rate): void {
  for (const [name, value] of Object.entries(rateHeaders(rate, cost))) response.setHeader(name, value);
}
