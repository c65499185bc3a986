// Starts the gateway: the graph, the sign-in and the one public port. The routes of other parts are handed in.
import { join } from 'node:path';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type Checks, createReadiness } from '#platform/readiness.ts';
import { leave } from '#platform/leave.ts';
import { openHealthPort } from '#platform/health-port.ts';
import { askerOf, dataOf } from '#platform/ask.ts';
import type { DoorParts, OpenDoors } from '#platform/doors.ts';
import type { Vendors } from '#platform/vendors.ts';
import { publishedSdl, supergraphSdl, writtenContracts } from '../schema/contracts.ts';
import { readPublished } from '../schema/publications.ts';
import { SUBGRAPHS, type SubgraphName } from '../schema/subgraphs.ts';
import { type Access, createAccess } from './sign-in/access.ts';
import { gatewayConfiguration } from './configuration.ts';
import { createFront } from './http/front.ts';
import { type ContractWatch, watchContracts } from './graph/composing/contract-watch.ts';
import { type Gateway, createGateway } from './graph/gateway.ts';
import { createGraphqlAdmission } from './graph/graphql-admission.ts';
import { type GraphqlHttpOptions, createGraphqlRoute } from './graph/graphql-http.ts';
import { anyDocument, createRequireKnown, readDocuments } from './graph/known-documents.ts';
import { createDocumentsRoute } from './graph/documents-route.ts';
import { RegisteredDocuments, storedDocuments } from './graph/registered-documents.ts';
import { createSchemaRoute } from './graph/schema-route.ts';
import { createGraphqlSocketRoute, SOCKET_LIMITS } from './graph/graphql-ws.ts';
import { createHealthRoute } from './http/health.ts';
import { createMetricsRoute } from './http/metrics-route.ts';
import { createKeyUse } from './sign-in/key-use.ts';
import { createOriginPolicy } from './http/origins.ts';
import { type RateLimiter, createRateLimiter, RATE_LIMIT } from './http/rate-limit.ts';
import { DASHBOARD, createPageRoutes } from './pages/page-routes.ts';
import type { Installation } from './pages/public-pages.ts';
import type { Route } from '#platform/route.ts';
import { pageSession } from './sign-in/page-session.ts';
import { createPageCookie, createSessionCookie } from './sign-in/session-cookie.ts';
import { createSignInRoute } from './sign-in/sign-in.ts';
import type { Source } from './graph/sources/source.ts';
import { asksOf } from './status/components.ts';
import { type StatusBoard, openStatusBoard } from './status/status-board.ts';
import { createStatusRoutes } from './status/status-routes.ts';

export interface GatewayServerOptions {
  config: Config;
  vendors: Vendors;
  sources: Readonly<Record<SubgraphName, Source>>;
  /** Whether the subgraphs run in other processes, whose contracts may change while this one runs. */
  isApart?: boolean;
  /** What the subgraphs provide besides the graph. */
  subgraphs: Readonly<Record<SubgraphName, { doors?: OpenDoors }>>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Checks of the parts that the gateway cannot do without; `degrading`: of those that it can do without for a while. */
  checks: Checks;
  degrading?: Checks;
  /** With `proxyHost` and `connectionsPerPlan`: public settings for the dashboard besides the brand. */
  sandbox: { mailUrl: string; networkUrl: string } | null;
  proxyHost: string;
  connectionsPerPlan: Installation['connectionsPerPlan'];
  /** Further routes, matched before the dashboard's. */
  mount(parts: { gateway: Gateway; access: Access }): readonly Route[];
}

export interface GatewayServer {
  url: string;
  port: number;
  gateway: Gateway;
  access: Access;
  status: StatusBoard;
  /** Reports not ready from now on; resolves when load balancers have had the time to notice. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

const DOCUMENTS = join(DASHBOARD, '.drawn', 'documents.json');

/** Runs a query as a visitor who is not signed in, for pages that are drawn ahead of any request. */
async function askAsAnybody(gateway: Gateway, query: string): Promise<unknown> {
  const viewer = { kind: 'anonymous', address: 'internal', requestId: 'pages' } as const;
  return dataOf(await gateway.execute(gateway.prepare(query), { viewer }));
}

/** Follows the contracts of subgraphs in other processes, where the configuration says so. */
function watchOthers(options: GatewayServerOptions, gateway: Gateway): ContractWatch | undefined {
  const { config, sources, clock, log, metrics } = options;
  const { GRAPH_POLL_SECONDS, GRAPH_DOCUMENTS_DIR: folder } = gatewayConfiguration.of(config);
  if (!options.isApart || GRAPH_POLL_SECONDS === undefined) return undefined;
  return watchContracts({
    everyMs: GRAPH_POLL_SECONDS * SECOND,
    contracts: writtenContracts(),
    asks: Object.fromEntries(SUBGRAPHS.map((name) => [name, askerOf(sources[name])])),
    gateway,
    judgedBy: { published: publishedSdl(), documents: readDocuments(DOCUMENTS) ?? [], folder },
    clock,
    log,
    metrics,
  });
}

/** What the gateway can do without for a while. */
function degradingOf({ config, degrading }: GatewayServerOptions, limiter: RateLimiter, watch: ContractWatch | undefined): Checks {
  return {
    ...degrading,
    ...(gatewayConfiguration.of(config).REDIS_URL !== undefined && { limits: () => limiter.shares() !== false }),
    ...(watch && { contracts: () => !watch.isRefused }),
  };
}

/** The schema as text, the documents that accounts register, and the operations. */
const graphRoutes = (parts: GraphqlHttpOptions & { documents: RegisteredDocuments }): Route[] => [
  createSchemaRoute({ ...parts, published: readPublished() }),
  createDocumentsRoute(parts),
  createGraphqlRoute(parts),
];

export async function startGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const { config, sources, clock, log, metrics } = options;
  const { REDIS_URL, GRAPHQL_WITHOUT_KEY = config.NODE_ENV === 'production' ? 'known' : 'any' } = gatewayConfiguration.of(config);
  const requireKnown = GRAPHQL_WITHOUT_KEY === 'known' ? createRequireKnown(readDocuments(DOCUMENTS) ?? []) : anyDocument;
  const limiter = await createRateLimiter({ redisUrl: REDIS_URL, log });
  const gateway = await createGateway({ supergraphSdl: supergraphSdl(), sources, log, metrics, clock, charge: limiter.charge });
  const watch = watchOthers(options, gateway);
  const keyUse = createKeyUse({ accounts: sources.accounts, clock, log });
  const access = keyUse.counted(createAccess({ accounts: sources.accounts, limiter, clock, log }));
  const admission = createGraphqlAdmission(access);
  const documents = new RegisteredDocuments(storedDocuments(askerOf(sources.accounts), clock));
  const cookie = createSessionCookie(config.PUBLIC_URL.startsWith('https://'));
  const pageCookie = createPageCookie(cookie);
  const origins = createOriginPolicy(() => config.PUBLIC_URL);
  const graph = { gateway, access, admission, cookie: pageCookie, origins, log, requireKnown, documents };
  const status = await openStatusBoard({ asks: asksOf(sources), file: join(config.DATA_DIR, 'status.json'), clock, log });
  const pages = createPageRoutes({
    ...options,
    limits: { requestsPerMinute: RATE_LIMIT, subscriptionsPerConnection: SOCKET_LIMITS.subscriptionsPerConnection },
    ask: (query) => askAsAnybody(gateway, query),
  });
  const parts: Omit<DoorParts, 'ask'> = {
    session: pageSession({ access, cookie: pageCookie }),
    onAccessChange: access.onInvalidate,
    checkOrigin: origins.check,
    config,
    vendors: options.vendors,
    clock,
    log,
    metrics,
  };
  const doors = SUBGRAPHS.map((name) => options.subgraphs[name].doors?.({ ...parts, ask: askerOf(sources[name]) }));
  const readiness = createReadiness({ ...options.checks, graph: () => true }, degradingOf(options, limiter, watch), log);
  const front = createFront({
    port: config.PORT,
    host: config.HOST,
    publicUrl: config.PUBLIC_URL,
    trustProxyHops: config.TRUST_PROXY_HOPS,
    clock,
    log,
    metrics,
    stopping: () => readiness.stopping,
    routes: [
      createHealthRoute(readiness),
      createMetricsRoute(metrics, config.METRICS_TOKEN),
      ...createStatusRoutes({ board: status, brand: commerceConfiguration.of(config).BRAND, publicUrl: config.PUBLIC_URL, clock }),
      ...graphRoutes(graph),
      createSignInRoute({ accounts: sources.accounts, access, cookie, origins, clock }),
      ...doors.flatMap((each) => each?.routes ?? []),
      ...options.mount({ gateway, access }),
      ...pages,
    ],
    upgrades: [createGraphqlSocketRoute({ ...graph, clock, metrics }), ...doors.flatMap((each) => each?.upgrades ?? [])],
  });
  const { url, port } = await front.listen();
  const health = await openHealthPort({ config, metrics, log }, readiness).catch(async (error: unknown) => {
    await front.close();
    throw error;
  });
  status.start();
  return {
    url,
    port,
    gateway,
    access,
    status,
    leave: () => leave({ readiness, health, delayMs: config.STOP_DELAY_MS }),
    async close() {
      await watch?.close();
      await front.close();
      await health?.close();
      await keyUse.close();
      await status.close();
      await gateway.close();
      await limiter.close();
    },
  };
}
