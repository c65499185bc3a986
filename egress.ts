// The composition root: puts all parts together in one process, or starts a gateway or an adapter in its own process. It has no business rules.
import { vendorsOf } from './configuration.ts';
import { checkCatalogueFile } from './catalogue-fields.ts';
import { type RunningSubgraphs, SUBGRAPH_DEFINITIONS, ofEachSubgraph, startSubgraphs } from './all-subgraphs.ts';
import { gatewayConfiguration } from './gateway/configuration.ts';
import { colourRules } from './gateway/pages/colours.ts';
import { startGateway } from './gateway/server.ts';
import { createFront } from './gateway/http/front.ts';
import { createHealthRoute } from './gateway/http/health.ts';
import { createMetricsRoute } from './gateway/http/metrics-route.ts';
import type { GatewayServer } from './gateway/server.ts';
import { inProcessSource } from './gateway/graph/sources/in-process.ts';
import type { Source } from './gateway/graph/sources/source.ts';
import { remoteSource } from './gateway/graph/sources/remote.ts';
import { type Graph, localGraph } from './rest-adapter/graph.ts';
import { Gateways } from './rest-adapter/gateways.ts';
import { createInternalGraphRoute, remoteGraph } from './rest-adapter/remote-graph.ts';
import { type RestAdapterOptions, createMcpRoutes, createRestRoutes } from './rest-adapter/server.ts';
import { carriesTraffic, lineConfiguration } from './edge/protocol/configuration.ts';
import { createForwardedEdgeRoutes } from './edge/protocol/forwarded-routes.ts';
import { createEdgePasses } from './edge/protocol/passes.ts';
import { createEdgeRoutes } from './edge/protocol/routes.ts';
import type { Edge } from './edge/edge.ts';
import { proxyRulesOf } from './edge/proxy-rules.ts';
import { carryTraffic } from './own-edge.ts';
import { systemClock, type Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { createForwardRoute } from '#platform/forward-route.ts';
import type { Route } from '#platform/route.ts';
import { SUBGRAPHS } from './schema/subgraphs.ts';
import { openConfiguredDatabase } from '#platform/configured-database.ts';
import { ACCESS_CHANNEL } from '#platform/identity.ts';
import { createLog, type Log } from '#platform/log.ts';
import { leave } from '#platform/leave.ts';
import { openHealthPort } from '#platform/health-port.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createReadiness, saysReady } from '#platform/readiness.ts';
import type { Running } from '#platform/run-process.ts';
import { ownUrl, publicUrlOf } from '#platform/own-address.ts';
import { type Platform, openPlatform } from '#platform/platform.ts';
import { sandboxTerms } from '#platform/sandbox-terms.ts';
import { secretsOf } from '#platform/secrets.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { sandboxConfiguration } from './sandbox/configuration.ts';
import type { Sandbox } from './sandbox/start.ts';

export interface Overrides {
  clock?: Clock;
  log?: Log;
  /** A migrated database, instead of DATABASE_URL or the embedded server. */
  databaseUrl?: string;
}

export interface Egress {
  /** The URL for browsers. */
  url: string;
  /** The URL for this machine itself. */
  ownUrl: string;
  platform: Platform;
  server: GatewayServer;
  subgraphs: RunningSubgraphs;
  sandbox: Sandbox | undefined;
  /** The proxy node of this process; undefined when it carries no traffic. */
  edge: Edge | undefined;
  /** A web site to reach through the proxy node, when the sandbox runs. */
  siteUrl: string | undefined;
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Starts everything in this process. When a later part fails to start, those that were started are closed. */
export async function startEgress(config: Config, overrides: Overrides = {}): Promise<Egress> {
  await using opened = new AsyncDisposableStack();
  checkCatalogueFile(config);
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const database = overrides.databaseUrl ? { url: overrides.databaseUrl, stop: async () => {} } : await openConfiguredDatabase(config, log);
  opened.defer(database.stop);
  const secrets = secretsOf(config);
  const clock = overrides.clock ?? systemClock;

  let sandbox: Sandbox | undefined;
  let server: GatewayServer | undefined;
  if (config.SANDBOX) {
    const { startSandbox } = await import('./sandbox/start.ts');
    sandbox = await startSandbox({
      ...sandboxTerms(config, secrets),
      clock,
      dataDir: config.DATA_DIR,
      qemu: sandboxConfiguration.of(config).SANDBOX_QEMU,
      // The public URL when it leads to this machine, so that webhooks go to the URL under which the doctor looks for them at vendors.
      egressUrl: () =>
        config.PUBLIC_URL === publicUrlOf(config.HOST, config.PORT) && config.PORT !== 0
          ? config.PUBLIC_URL
          : ownUrl(config.HOST, server?.port ?? config.PORT),
    });
    opened.defer(sandbox.close);
  }

  const platform = await openPlatform(config, database.url, vendorsOf(config, secrets), { ...overrides, log });
  opened.defer(platform.close);
  const { metrics } = platform;
  const subgraphs = await startSubgraphs(platform, opened);

  // Residential and static each answer a part of a proxy node's requests, behind one set of paths with one feed.
  const control = { ...subgraphs.residential.parts, ...subgraphs.static.parts };

  server = await startGateway({
    config,
    vendors: platform.vendors,
    clock,
    log,
    metrics,
    subgraphs: SUBGRAPH_DEFINITIONS,
    sources: await ofEachSubgraph((name) => inProcessSource(subgraphs[name], log)),
    checks: platform.vital,
    degrading: platform.degrading,
    sandbox: sandbox ? { mailUrl: sandbox.urls.mail, networkUrl: sandbox.urls.network } : null,
    proxyHost: lineConfiguration.of(config).PROXY_HOST,
    connectionsPerPlan: proxyRulesOf(config).connectionsPerPlan,
    mount: (graph) => [
      ...createApiRoutes(graph, { config, clock, log }),
      ...Object.values(subgraphs).flatMap(({ routes }) => routes),
      ...createEdgeRoutes({ ...control, passes: createEdgePasses(secrets.edges, clock) }),
    ],
  });
  const { url, port, access, close: closeServer } = server;
  // First stop taking requests and jobs.
  opened.defer(async () => void (await Promise.all([closeServer(), ...Object.values(subgraphs).map(({ rest }) => rest())])));
  await platform.notifications.listen(ACCESS_CHANNEL, () => access.invalidate('all'));
  const sandboxed = sandbox !== undefined;
  const node = carriesTraffic(config)
    ? await carryTraffic(config, platform, { control, context: () => subgraphs.residential.systemContext('edges') }, sandboxed, opened)
    : undefined;
  const closing = opened.move();
  return {
    url,
    platform,
    server,
    subgraphs,
    sandbox,
    ownUrl: ownUrl(config.HOST, port),
    edge: node?.edge,
    siteUrl: node?.siteUrl,
    leave: server.leave,
    close: () => closing.disposeAsync(),
  };
}

const adapterOptions = (graph: Graph, log: Log, config: Config): RestAdapterOptions => ({
  graph,
  log,
  config: { PUBLIC_URL: config.PUBLIC_URL, BRAND: commerceConfiguration.of(config).BRAND },
  docs: { proxyRules: proxyRulesOf(config), colours: colourRules(gatewayConfiguration.of(config).BRAND_COLOUR) },
});

type MountedGraph = Parameters<Parameters<typeof startGateway>[0]['mount']>[0];

/** The routes over the graph beside the dashboard; they work wherever the subgraphs run. */
function createApiRoutes({ gateway, access }: MountedGraph, { config, clock, log }: { config: Config; clock: Clock; log: Log }): Route[] {
  const adapter = adapterOptions(localGraph(gateway, access), log, config);
  return [
    ...createRestRoutes(adapter),
    ...createMcpRoutes(adapter),
    createInternalGraphRoute({ gateway, access, secret: secretsOf(config).internal, clock }),
  ];
}

/** A part of the platform in its own process. */
export interface Part extends Running {
  url: string;
}

/** Starts the gateway only; the subgraphs answer at SUBGRAPH_URLS and have the same SECRET. */
export async function startGatewayAlone(config: Config): Promise<Part> {
  const secrets = secretsOf(config);
  const clock = systemClock;
  const log = createLog(config.LOG_LEVEL);
  await using opened = new AsyncDisposableStack();
  const sources = await ofEachSubgraph((name): Source => {
    const url = config.SUBGRAPH_URLS?.[name];
    if (!url) throw new StartFailure(`SUBGRAPH_URLS has no address for ${name}.`);
    const source = remoteSource(url, secrets.identity, clock, { log, audience: name });
    if (source.close) opened.defer(source.close);
    return source;
  });
  const { accounts, ...others } = await ofEachSubgraph((name) => () => saysReady(config.SUBGRAPH_URLS?.[name] ?? ''));
  const server = await startGateway({
    config,
    vendors: vendorsOf(config, secrets),
    clock,
    log,
    subgraphs: SUBGRAPH_DEFINITIONS,
    sources,
    isApart: true,
    metrics: createMetrics({ process: true }),
    // Without accounts nobody can be authenticated; when another subgraph is down, only its part of the graph fails.
    checks: { accounts },
    degrading: others,
    sandbox: null,
    proxyHost: lineConfiguration.of(config).PROXY_HOST,
    connectionsPerPlan: proxyRulesOf(config).connectionsPerPlan,
    mount: (graph) => [...createApiRoutes(graph, { config, clock, log }), ...forwardedRoutes(config, log)],
  });
  opened.defer(server.close);
  const closing = opened.move();
  return { url: server.url, leave: server.leave, close: () => closing.disposeAsync() };
}

/** The paths that subgraphs serve in their own processes. */
function forwardedRoutes({ SUBGRAPH_URLS = {} }: Config, log: Log): Route[] {
  const own = SUBGRAPHS.flatMap((name) => {
    const { paths = [] }: { paths?: readonly string[] } = SUBGRAPH_DEFINITIONS[name];
    const url = SUBGRAPH_URLS[name] ?? '';
    return paths.map((path) =>
      createForwardRoute({ name: path.replaceAll('/', ''), matches: (asked) => asked.startsWith(path), url, log }),
    );
  });
  const { residential: residentialUrl = '', static: staticUrl = '' } = SUBGRAPH_URLS;
  return [...own, ...createForwardedEdgeRoutes({ residentialUrl, staticUrl, log })];
}

/** Starts only /v1, /mcp and /openapi.json, in front of the gateways at GATEWAY_URL. */
export async function startAdapterAlone(config: Config): Promise<Part> {
  const clock = systemClock;
  const log = createLog(config.LOG_LEVEL);
  const gateways = new Gateways(config.GATEWAY_URL ?? []);
  const graph = remoteGraph({ gateways, secret: secretsOf(config).internal, clock });
  const adapter = adapterOptions(graph, log, config);
  const metrics = createMetrics({ process: true });
  const readiness = createReadiness(
    { gateway: async () => (await gateways.look()) > 0 },
    { gateways: async () => (await gateways.look()) === gateways.count },
    log,
    () => ({ gateways: gateways.count, gatewaysReady: gateways.ready }),
  );
  const front = createFront({
    port: config.PORT,
    host: config.HOST,
    publicUrl: config.PUBLIC_URL,
    trustProxyHops: config.TRUST_PROXY_HOPS,
    routes: [
      createHealthRoute(readiness),
      createMetricsRoute(metrics, config.METRICS_TOKEN),
      ...createRestRoutes(adapter),
      ...createMcpRoutes(adapter),
    ],
    upgrades: [],
    clock,
    log,
    metrics,
    stopping: () => readiness.stopping,
  });
  const { url } = await front.listen();
  const health = await openHealthPort({ config, metrics, log }, readiness);
  return {
    url,
    leave: () => leave({ readiness, health, delayMs: config.STOP_DELAY_MS }),
    async close() {
      await front.close();
      await health?.close();
      await graph.close();
    },
  };
}
