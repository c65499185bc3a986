// `/graphql/schema.graphql`: the schema as text, for those who build on it. What customers and partners see is public; the whole of it is for staff.
import { fail } from '#platform/errors.ts';
import { ANY_SITE, type CachedAnswer, cachedAnswer, requireMethod, sendCached } from '#platform/respond.ts';
import { type Call, type Route, originOf } from '#platform/route.ts';
import type { Access } from '../sign-in/access.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';
import type { Gateway } from './gateway.ts';
import { TIERS, type Tier } from '../../schema/public-sdl.ts';
import { tierOf } from './shown-schemas.ts';

export const SCHEMA_PATH = '/graphql/schema.graphql';

interface SchemaRouteOptions {
  gateway: Pick<Gateway, 'shown'>;
  access: Pick<Access, 'admitSession'>;
  cookie: Pick<SessionCookie, 'read'>;
}

/** `?tier=`: customer (default), partner, staff. Errors: parameter_invalid for another one, forbidden for the whole schema without a session of staff. */
export function createSchemaRoute({ gateway, access, cookie }: SchemaRouteOptions): Route {
  const made = new Map<string, CachedAnswer>();

  function answerOf(tier: Tier): CachedAnswer {
    const text = gateway.shown.text(tier);
    const known = made.get(text);
    if (known) return known;
    const answer = cachedAnswer(text, 'text/plain; charset=utf-8', tier === 'staff' ? { 'Cache-Control': 'private, no-cache' } : ANY_SITE);
    if (made.size >= 2 * TIERS.length) made.clear();
    made.set(text, answer);
    return answer;
  }

  return {
    name: 'graphql',
    matches: (pathname) => pathname === SCHEMA_PATH,
    async handle(request, response, call: Call) {
      requireMethod(request, response, 'GET', 'HEAD');
      call.logFields.operation = 'schema';
      const asked = call.url.searchParams.get('tier') ?? 'customer';
      const tier = TIERS.find((one) => one === asked);
      if (!tier) throw fail('parameter_invalid', { field: 'tier', allowed: TIERS });
      if (tier === 'staff') {
        const viewer = await access.admitSession(cookie.read(request), originOf(call));
        call.logFields.caller = viewer;
        if (tierOf(viewer) !== 'staff') throw fail(viewer.kind === 'anonymous' ? 'session_invalid' : 'forbidden');
      }
      await sendCached(request, response, answerOf(tier));
    },
  };
}
