// A whole front over a test gateway, built as in main.ts, with the small subgraphs of the tests.
import { createAccess } from '../../gateway/sign-in/access.ts';
import { type Front, type FrontOptions, createFront } from '../../gateway/http/front.ts';
import { type RequestLimits, createGraphqlAdmission } from '../../gateway/graph/graphql-admission.ts';
import type { STREAM_LIMITS } from '../../gateway/graph/event-streams.ts';
import { createGraphqlRoute } from '../../gateway/graph/graphql-http.ts';
import { createSchemaRoute } from '../../gateway/graph/schema-route.ts';
import { type SocketLimits, createGraphqlSocketRoute } from '../../gateway/graph/graphql-ws.ts';
import type { FeedKind } from '../../schema/feeds.ts';
import type { Published } from '../../schema/publications.ts';
import type { RequireKnown } from '../../gateway/graph/known-documents.ts';
import { createOriginPolicy } from '../../gateway/http/origins.ts';
import type { PlanningLimits } from '../../gateway/graph/planning/planner.ts';
import { type RateLimiter, createRateLimiter } from '../../gateway/http/rate-limit.ts';
import type { Route } from '#platform/route.ts';
import { createSessionCookie } from '../../gateway/sign-in/session-cookie.ts';
import { createSignInRoute } from '../../gateway/sign-in/sign-in.ts';
import { type Log, silentLog } from '#platform/log.ts';
import type { Access } from '../../gateway/sign-in/access.ts';
import { SUPERGRAPH } from './small-subgraphs.ts';
import { type Mode, type TestGateway, startGateway } from './world.ts';

export interface Site extends TestGateway {
  url: string;
  access: Access;
  front: Front;
  /** `POST /graphql`. */
  graphql(query: string, headers?: Record<string, string>, variables?: object): Promise<Response>;
}

export interface SiteOptions {
  mode?: Mode;
  log?: Log;
  publicUrl?: string;
  limiter?: RateLimiter;
  routes?: (site: TestGateway) => Route[];
  front?: Partial<FrontOptions>;
  sockets?: Partial<SocketLimits>;
  requests?: Partial<RequestLimits>;
  streams?: Partial<typeof STREAM_LIMITS>;
  planning?: Partial<PlanningLimits>;
  /** Which documents are allowed without a key; by default all. */
  requireKnown?: RequireKnown;
  feeds?: Readonly<Record<string, FeedKind>>;
  /** The published API; by default what the graph has. */
  published?: Published;
  /** The clock of budgets, in milliseconds. */
  now?: () => number;
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { log = silentLog, mode = 'in process' } = options;
  const limiter = options.limiter ?? (await createRateLimiter({ log }));
  const started = await startGateway(mode, {
    log,
    planning: options.planning,
    now: options.now,
    charge: limiter.charge,
    ...(options.feeds && { feeds: options.feeds }),
  });
  const { gateway, sources, clock, metrics } = started;
  const accounts = sources['accounts'];
  if (!accounts) throw new Error('the test graph has no accounts');
  const access = createAccess({ accounts, limiter, clock, log });
  const admission = createGraphqlAdmission(access, options.requests, options.now);
  let url = options.publicUrl ?? '';
  const origins = createOriginPolicy(() => url);
  const cookie = createSessionCookie(url.startsWith('https://'));
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    ...(options.publicUrl && { publicUrl: options.publicUrl }),
    routes: [
      createSchemaRoute({ gateway, access, cookie, published: options.published ?? { sdl: SUPERGRAPH, publications: [] } }),
      createGraphqlRoute({
        gateway,
        access,
        admission,
        cookie,
        origins,
        log,
        ...(options.requireKnown && { requireKnown: options.requireKnown }),
        ...(options.streams && { streams: options.streams }),
      }),
      createSignInRoute({ accounts, access, cookie, origins, clock }),
      ...(options.routes?.(started) ?? []),
    ],
    upgrades: [
      createGraphqlSocketRoute({
        gateway,
        access,
        admission,
        cookie,
        origins,
        clock,
        log,
        metrics,
        ...(options.requireKnown && { requireKnown: options.requireKnown }),
        ...(options.sockets && { limits: options.sockets }),
        ...(options.now && { now: options.now }),
      }),
    ],
    clock,
    log,
    metrics,
    // A test's own clock does not depend on how busy the machine is.
    ...(options.now && { now: options.now }),
    ...options.front,
  });
  const { port } = await front.listen();
  const base = `http://127.0.0.1:${port}`;
  url ||= base;
  return {
    ...started,
    url: base,
    access,
    front,
    graphql: (query, headers = {}, variables = {}) =>
      fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      }),
    async close() {
      await front.close();
      await started.close();
      await limiter.close();
    },
  };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
