// Routes of a gateway that forward nodes' requests to residential or static, so that a node needs only one address.
import { fail } from '#platform/errors.ts';
import { createForwardRoute } from '#platform/forward-route.ts';
import type { Log } from '#platform/log.ts';
import { Lru } from '#platform/lru.ts';
import type { Route } from '#platform/route.ts';
import { createEdgeClient, isRefused } from './client.ts';
import { PASS_ANSWER } from './messages.ts';
import { PASS_PREFIX } from './passes.ts';

export interface ForwardedEdgeRoutesOptions {
  residentialUrl: string;
  staticUrl: string;
  log: Log;
  monotonic?: () => number;
}

/** What static answers. */
const STATIC_PATHS = ['/edge/static-plans', '/edge/static-networks'];
const PREFIX = '/edge/';
/** How many nodes' passes are cached. */
const NODES = 10_000;

export function createForwardedEdgeRoutes(options: ForwardedEdgeRoutesOptions): Route[] {
  const { residentialUrl, staticUrl, log } = options;
  return [
    createForwardRoute({
      name: 'edge-static-plans',
      matches: (pathname) => STATIC_PATHS.includes(pathname),
      url: staticUrl,
      log,
      authorization: passesOf(options),
    }),
    createForwardRoute({ name: 'edge', matches: (pathname) => pathname.startsWith(PREFIX), url: residentialUrl, log }),
  ];
}

/** Static does not know the nodes' keys: the gateway exchanges a key for a pass at residential, and uses it for half of its validity. */
function passesOf({ residentialUrl, monotonic = () => performance.now() }: ForwardedEdgeRoutesOptions) {
  const known = new Lru<{ authorization: string; until: number }>(NODES);
  return async (given = ''): Promise<string> => {
    const key = /^Bearer (\S{1,256})$/.exec(given)?.[1] ?? '';
    if (key === '' || key.startsWith(PASS_PREFIX)) return given;
    const askedAt = monotonic();
    const cached = known.get(key);
    if (cached && askedAt < cached.until) return cached.authorization;
    const client = createEdgeClient({ url: residentialUrl, token: () => key });
    try {
      const { pass, validMs } = await client.call('/edge/pass', PASS_ANSWER);
      const authorization = `Bearer ${pass}`;
      known.set(key, { authorization, until: askedAt + validMs / 2 });
      return authorization;
    } catch (error) {
      throw isRefused(error) ? fail('edge_unknown') : fail('overloaded');
    } finally {
      client.close();
    }
  };
}
