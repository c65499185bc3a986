// The schema for those who build on it: `/graphql/schema.graphql` as text, and `/graphql/schema/changes` what changed of it. What customers and partners see is
// public; the whole of it is for staff.
import { fail } from '#platform/errors.ts';
import { ANY_SITE, type CachedAnswer, cachedAnswer, requireMethod, sendCached } from '#platform/respond.ts';
import { type Call, type Route, originOf } from '#platform/route.ts';
import type { Access } from '../sign-in/access.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';
import type { Gateway } from './gateway.ts';
import { TIERS, type Tier } from '../../schema/public-sdl.ts';
import { type Published, historyFor, printHistory } from '../../schema/publications.ts';
import { type ShownSchemas, tierOf } from './shown-schemas.ts';

interface SchemaRouteOptions {
  gateway: Pick<Gateway, 'shown'>;
  access: Pick<Access, 'admitSession'>;
  cookie: Pick<SessionCookie, 'read'>;
  /** What changes are told against. */
  published: Published;
}

/** `type`: what the answer is of; where the request chooses, by its `Accept`. */
interface Page {
  type(accept: string | undefined): string;
  varies: Record<string, string>;
  text(shown: ShownSchemas, tier: Tier, type: string): string;
}

const CHANGE_TYPES = /application\/json|text\/(?:markdown|plain)/;

/** `?tier=`: customer (default), partner, staff. Errors: parameter_invalid for another one, forbidden for the whole schema without a session of staff. */
export function createSchemaRoute({ gateway, access, cookie, published }: SchemaRouteOptions): Route {
  const pages: Readonly<Record<string, Page>> = {
    '/graphql/schema.graphql': { type: () => 'text/plain', varies: {}, text: (shown, tier) => shown.text(tier) },
    '/graphql/schema/changes': {
      type: (accept = '') => CHANGE_TYPES.exec(accept)?.[0] ?? 'application/json',
      varies: { Vary: 'Accept' },
      text(shown, tier, type) {
        const history = historyFor(tier, published, shown.schema(tier));
        return type === 'application/json' ? `${JSON.stringify(history)}\n` : printHistory(history);
      },
    },
  };
  const made = new WeakMap<ShownSchemas, Map<string, CachedAnswer>>();

  function answerOf(path: string, tier: Tier, accept: string | undefined): CachedAnswer {
    const { shown } = gateway;
    const page = pages[path] as Page;
    const type = page.type(accept);
    const known = made.get(shown) ?? new Map<string, CachedAnswer>();
    made.set(shown, known);
    const place = `${path} ${tier} ${type}`;
    let answer = known.get(place);
    if (!answer) {
      const headers = tier === 'staff' ? { 'Cache-Control': 'private, no-cache' } : ANY_SITE;
      answer = cachedAnswer(page.text(shown, tier, type), `${type}; charset=utf-8`, { ...headers, ...page.varies });
      known.set(place, answer);
    }
    return answer;
  }

  return {
    name: 'graphql',
    matches: (pathname) => Object.hasOwn(pages, pathname),
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
      await sendCached(request, response, answerOf(call.url.pathname, tier, request.headers.accept));
    },
  };
}
