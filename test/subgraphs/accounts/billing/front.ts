// Opens a front with one door of billing, and a session's cookie for it. The cookie `desk` is the session of `staff`, as after a second factor.
import type { DoorParts } from '#platform/doors.ts';
import { askerOf } from '#platform/ask.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Route } from '#platform/route.ts';
import { createFront } from '../../../../gateway/http/front.ts';
import { createRateLimiter } from '../../../../gateway/http/rate-limit.ts';
import { createAccess } from '../../../../gateway/sign-in/access.ts';
import { pageSession } from '../../../../gateway/sign-in/page-session.ts';
import { createSessionCookie } from '../../../../gateway/sign-in/session-cookie.ts';
import type { BillingWorld } from './world.ts';

export async function openDoor(
  world: Pick<BillingWorld, 'platform' | 'source'>,
  createRoute: (parts: Pick<DoorParts, 'ask' | 'session'>) => Route,
  staff?: Viewer,
) {
  const { clock, log, metrics } = world.platform;
  const access = createAccess({ accounts: world.source, limiter: await createRateLimiter({ log }), clock, log });
  const ofCookie = pageSession({ access, cookie: createSessionCookie(false) });
  const session: DoorParts['session'] = async (request, call, permission) =>
    staff?.kind === 'session' && request.headers.cookie === 'egress_session=desk' ? staff : ofCookie(request, call, permission);
  const routes = [createRoute({ ask: askerOf(world.source), session })];
  const front = createFront({ port: 0, host: '127.0.0.1', routes, upgrades: [], clock, log, metrics });
  const { url } = await front.listen();
  return {
    url,
    get: (path: string, token?: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: token ? { Cookie: `egress_session=${token}` } : {} }),
    close: () => front.close(),
  };
}
