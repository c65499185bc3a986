// The gateway as a whole: the graph, who may ask it, and the one public port. Other rooms' routes are handed in.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type Checks, createReadiness } from '#platform/readiness.ts';
import { openHealthPort } from '#platform/health-port.ts';
import { askerOf, dataOf } from '#platform/ask.ts';
import type { DoorParts, OpenDoors } from '#platform/doors.ts';
import type { Vendors } from '#platform/vendors.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { supergraphSdl } from '../schema/compose.ts';
import { SUBGRAPHS, type SubgraphName } from '../schema/subgraphs.ts';
import { type Access, createAccess } from './sign-in/access.ts';
import { gatewayConfiguration } from './configuration.ts';
import { colourRules } from './pages/colours.ts';
import { createDashboardRoute } from './pages/dashboard.ts';
import { createFront } from './http/front.ts';
import { type Gateway, createGateway } from './graph/gateway.ts';
import { createGraphqlAdmission } from './graph/graphql-admission.ts';
import { createGraphqlRoute } from './graph/graphql-http.ts';
import { createGraphqlSocketRoute, SOCKET_LIMITS } from './graph/graphql-ws.ts';
import { createHealthRoute } from './http/health.ts';
import { createLogoRoute, LOGO_PATH } from './pages/logo.ts';
import { createMetricsRoute } from './http/metrics-route.ts';
import { createKeyUse } from './sign-in/key-use.ts';
import { createOriginPolicy } from './http/origins.ts';
import { createRateLimiter, RATE_LIMIT } from './http/rate-limit.ts';
import { createPublicPages } from './pages/public-pages.ts';
import type { Route } from '#platform/route.ts';
import { pageSession } from './sign-in/page-session.ts';
import { createSessionCookie } from './sign-in/session-cookie.ts';
import { createSignInRoute } from './sign-in/sign-in.ts';
import type { Source } from './graph/sources/source.ts';

const DASHBOARD = fileURLToPath(new URL('../web/build', import.meta.url));

export interface GatewayServerOptions {
  config: Config;
  vendors: Vendors;
  sources: Readonly<Record<SubgraphName, Source>>;
  /** What the subgraphs hand in beside the graph. */
  subgraphs: Readonly<Record<SubgraphName, { doors?: OpenDoors }>>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** What it cannot do without, and what it can for a while. */
  checks: Checks;
  degrading?: Checks;
  /** Public settings for the dashboard beside the brand. */
  sandbox: { mailUrl: string; networkUrl: string } | null;
  proxyHost: string;
  /** Further routes, asked before the dashboard's. */
  mount(parts: { gateway: Gateway; access: Access }): readonly Route[];
}

export interface GatewayServer {
  url: string;
  port: number;
  gateway: Gateway;
  access: Access;
  close(): Promise<void>;
}

/** What everybody may read, for pages that are drawn before anybody asks. */
async function askAsAnybody(gateway: Gateway, query: string): Promise<unknown> {
  const viewer = { kind: 'anonymous', address: 'internal', requestId: 'pages' } as const;
  return dataOf(await gateway.execute(gateway.prepare(query), { viewer }));
}

export async function startGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const { config, sources, clock, log, metrics } = options;
  const { BRAND, SUPPORT_EMAIL } = commerceConfiguration.of(config);
  const { REDIS_URL, BRAND_COLOUR, BRAND_LOGO_FILE } = gatewayConfiguration.of(config);
  const gateway = await createGateway({ supergraphSdl: supergraphSdl(), sources, log, metrics, clock });
  const limiter = await createRateLimiter({ redisUrl: REDIS_URL, log });
  const keyUse = createKeyUse({ accounts: sources.accounts, clock, log });
  const access = keyUse.counted(createAccess({ accounts: sources.accounts, limiter, clock, log }));
  const admission = createGraphqlAdmission(access);
  const cookie = createSessionCookie(config.PUBLIC_URL.startsWith('https://'));
  const origins = createOriginPolicy(() => config.PUBLIC_URL);
  const pages = existsSync(join(DASHBOARD, '200.html'))
    ? createPublicPages({
        directory: DASHBOARD,
        origin: config.PUBLIC_URL,
        installation: {
          brand: BRAND,
          supportEmail: SUPPORT_EMAIL,
          proxyHost: options.proxyHost,
          sandbox: options.sandbox,
          logo: BRAND_LOGO_FILE ? LOGO_PATH : null,
          limits: { requestsPerMinute: RATE_LIMIT, subscriptionsPerConnection: SOCKET_LIMITS.subscriptionsPerConnection },
        },
        colours: colourRules(BRAND_COLOUR),
        ask: (query) => askAsAnybody(gateway, query),
        clock,
        log,
      })
    : undefined;
  const parts: Omit<DoorParts, 'ask'> = {
    session: pageSession({ access, cookie }),
    onAccessChange: access.onInvalidate,
    checkOrigin: origins.check,
    config,
    vendors: options.vendors,
    clock,
    log,
    metrics,
  };
  const doors = SUBGRAPHS.map((name) => options.subgraphs[name].doors?.({ ...parts, ask: askerOf(sources[name]) }));
  const degrading = { ...options.degrading, ...(REDIS_URL !== undefined && { limits: () => limiter.shares() !== false }) };
  const readiness = createReadiness({ ...options.checks, graph: () => true }, degrading, log);
  const front = createFront({
    port: config.PORT,
    host: config.HOST,
    publicUrl: config.PUBLIC_URL,
    trustProxyHops: config.TRUST_PROXY_HOPS,
    clock,
    log,
    metrics,
    routes: [
      createHealthRoute(readiness),
      createMetricsRoute(metrics, config.METRICS_TOKEN),
      createGraphqlRoute({ gateway, access, admission, cookie, origins, log }),
      createSignInRoute({ accounts: sources.accounts, cookie, origins, clock }),
      ...doors.flatMap((each) => each?.routes ?? []),
      ...options.mount({ gateway, access }),
      ...(BRAND_LOGO_FILE ? [createLogoRoute(BRAND_LOGO_FILE)] : []),
      createDashboardRoute(DASHBOARD, pages),
    ],
    upgrades: [
      createGraphqlSocketRoute({ gateway, access, admission, cookie, origins, clock, log, metrics }),
      ...doors.flatMap((each) => each?.upgrades ?? []),
    ],
  });
  const { url, port } = await front.listen();
  const health = await openHealthPort({ config, metrics, log }, readiness).catch(async (error: unknown) => {
    await front.close();
    throw error;
  });
  return {
    url,
    port,
    gateway,
    access,
    async close() {
      await front.close();
      await health?.close();
      await keyUse.close();
      await gateway.close();
      await limiter.close();
    },
  };
}
