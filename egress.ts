// The composition root: puts the rooms together in one process, or as a gateway or an adapter in a process of its own. No rule stands here.
import { startGateway } from './gateway/server.ts';
import { createFront } from './gateway/front.ts';
import type { GatewayServer } from './gateway/server.ts';
import { inProcessSource } from './gateway/sources/in-process.ts';
import { remoteSource } from './gateway/sources/remote.ts';
import { localGraph } from './rest-adapter/graph.ts';
import { createInternalGraphRoute, remoteGraph } from './rest-adapter/remote-graph.ts';
import { createMcpRoute, createRestRoutes } from './rest-adapter/server.ts';
import { accounts } from './subgraphs/accounts/subgraph.ts';
import { createSeedRoute } from './subgraphs/compute/machine-seeds.ts';
import { compute } from './subgraphs/compute/subgraph.ts';
import { type EdgeControlOptions, createEdgeRoutes } from './subgraphs/residential/edge-control.ts';
import { registerEdgeMetrics } from './subgraphs/residential/edge/edge-metrics.ts';
import type { Edge } from './subgraphs/residential/edge/edge.ts';
import { startOwnEdge } from './subgraphs/residential/own-edge.ts';
import { residential } from './subgraphs/residential/subgraph.ts';
import { systemClock, type Clock } from './subgraphs/shared/clock.ts';
import type { Config } from './subgraphs/shared/config.ts';
import { openConfiguredDatabase } from './subgraphs/shared/configured-database.ts';
import { ACCESS_CHANNEL } from './subgraphs/shared/identity.ts';
import { createLog, type Log } from './subgraphs/shared/log.ts';
import { createMetrics } from './subgraphs/shared/metrics.ts';
import { type Platform, openPlatform } from './subgraphs/shared/platform.ts';
import { secretsOf } from './subgraphs/shared/secrets.ts';
import { startSubgraph } from './subgraphs/shared/subgraph.ts';
import { carriesTraffic, sandboxTerms, usageSourcesOf, vendorsOf, wantsSandbox } from './subgraphs/shared/vendors.ts';
import { createEdgeLines } from './subgraphs/static/edge-lines.ts';
import { staticProxies } from './subgraphs/static/subgraph.ts';
import type { Sandbox } from './test/sandbox/start.ts';

export interface Overrides {
  clock?: Clock;
  log?: Log;
  /** Instead of DATABASE_URL or the embedded server: a migrated database. */
  databaseUrl?: string;
}

export interface Egress {
  url: string;
  platform: Platform;
  server: GatewayServer;
  subgraphs: Awaited<ReturnType<typeof startSubgraphs>>;
  sandbox: Sandbox | undefined;
  /** The proxy node of this process; undefined when it carries no traffic. */
  edge: Edge | undefined;
  /** A web site to reach through it, where the sandbox runs. */
  siteUrl: string | undefined;
  close(): Promise<void>;
}

async function startSubgraphs(platform: Platform) {
  return {
    accounts: await startSubgraph(platform, accounts),
    residential: await startSubgraph(platform, residential),
    static: await startSubgraph(platform, staticProxies),
    compute: await startSubgraph(platform, compute),
  };
}

/** The node on the ports of the lines. A port that is taken leaves the rest of the platform running: the page says so. */
async function startNode(config: Config, platform: Platform, control: EdgeControlOptions, sandboxed: boolean) {
  const closings: (() => Promise<void>)[] = [];
  let site: { url: string; endpoint: { address: string; port: number } } | undefined;
  if (sandboxed) {
    const { startTargetSite } = await import('./test/sandbox/site/target-site.ts');
    const started = await startTargetSite({ port: config.SANDBOX_PORT === 0 ? 0 : config.SANDBOX_PORT + 9 });
    closings.push(started.close);
    site = started;
  }
  let edge: Edge | undefined;
  try {
    edge = await startOwnEdge({
      ...control,
      log: platform.log,
      host: config.HOST,
      ports: [config.PROXY_HTTP_PORT, config.PROXY_SOCKS5_PORT],
      dataDir: config.DATA_DIR,
      exitsFile: config.EDGE_EXITS_FILE,
      demoTarget: site?.endpoint,
      production: config.NODE_ENV === 'production',
      rulesFile: config.EDGE_RULES_FILE,
      forbiddenNetworks: config.EDGE_FORBIDDEN_NETWORKS,
    });
    closings.push(edge.close);
    registerEdgeMetrics(platform.metrics.registry, edge);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    platform.log.warn(
      { ports: [config.PROXY_HTTP_PORT, config.PROXY_SOCKS5_PORT] },
      'no traffic is carried: a port of the proxy lines is taken',
    );
  }
  return { edge, siteUrl: site?.url, closings };
}

/** Everything in this process. What was started is closed again when a later part fails to start. */
export async function startEgress(config: Config, overrides: Overrides = {}): Promise<Egress> {
  const closings: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closings.splice(0).reverse()) await end();
  };
  try {
    const database = overrides.databaseUrl ? { url: overrides.databaseUrl, stop: async () => {} } : await openConfiguredDatabase(config);
    closings.push(database.stop);
    const secrets = secretsOf(config);
    const clock = overrides.clock ?? systemClock;

    let sandbox: Sandbox | undefined;
    if (wantsSandbox(config)) {
      const { startSandbox } = await import('./test/sandbox/start.ts');
      sandbox = await startSandbox({
        ...sandboxTerms(config, secrets),
        clock,
        dataDir: config.DATA_DIR,
        qemu: config.SANDBOX_QEMU,
        egressUrl: `http://${config.HOST}:${config.PORT}`,
      });
      closings.push(sandbox.close);
    }

    const platform = await openPlatform(config, database.url, vendorsOf(config, secrets), overrides);
    closings.push(platform.close);
    const { log, metrics } = platform;
    const subgraphs = await startSubgraphs(platform);
    for (const subgraph of Object.values(subgraphs)) closings.push(subgraph.close);

    const control: EdgeControlOptions = {
      context: () => subgraphs.residential.systemContext('edges'),
      notifications: platform.notifications,
      staticLines: createEdgeLines({ context: () => subgraphs.static.systemContext('edges'), notifications: platform.notifications }),
    };

    const closingRoutes: (() => Promise<void> | void)[] = [];
    const server = await startGateway({
      config,
      clock,
      log,
      metrics,
      sources: {
        accounts: inProcessSource(subgraphs.accounts, log),
        residential: inProcessSource(subgraphs.residential, log),
        static: inProcessSource(subgraphs.static, log),
        compute: inProcessSource(subgraphs.compute, log),
      },
      usageSources: usageSourcesOf(config, secrets),
      checks: { database: platform.ready, jobs: platform.queue.ready },
      sandbox: sandbox ? { mailUrl: sandbox.urls.mail, networkUrl: sandbox.urls.network } : null,
      mount({ gateway, access }) {
        const adapter = { graph: localGraph(gateway, access), log, config };
        const mcp = createMcpRoute(adapter);
        closingRoutes.push(mcp.close);
        const edges = createEdgeRoutes(control);
        return [
          ...createRestRoutes(adapter),
          mcp,
          createSeedRoute(() => subgraphs.compute.systemContext('seeds')),
          createInternalGraphRoute({ gateway, access, secret: secrets.internal, clock }),
          ...edges,
        ];
      },
    });
    closings.push(async () => {
      for (const end of closingRoutes) await end();
      await server.close();
    });
    await platform.notifications.listen(ACCESS_CHANNEL, () => server.access.invalidate('all'));
    const node = carriesTraffic(config) ? await startNode(config, platform, control, sandbox !== undefined) : undefined;
    closings.push(...(node?.closings ?? []));
    return { url: server.url, platform, server, subgraphs, sandbox, edge: node?.edge, siteUrl: node?.siteUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The gateway alone; subgraphs answer at SUBGRAPH_URLS and share SECRET with it. */
export async function startGatewayAlone(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const secrets = secretsOf(config);
  const clock = systemClock;
  const log = createLog(config.LOG_LEVEL);
  const source = (name: string) => {
    const url = config.SUBGRAPH_URLS?.[name];
    if (!url) throw new Error(`SUBGRAPH_URLS has no address for ${name}.`);
    return remoteSource(url, secrets.identity, clock, { log });
  };
  const sources = {
    accounts: source('accounts'),
    residential: source('residential'),
    static: source('static'),
    compute: source('compute'),
  };
  let closeMcp = async () => {};
  const server = await startGateway({
    config,
    clock,
    log,
    sources,
    metrics: createMetrics({ process: true }),
    usageSources: usageSourcesOf(config, secrets),
    checks: {},
    sandbox: null,
    mount({ gateway, access }) {
      const adapter = { graph: localGraph(gateway, access), log, config };
      const mcp = createMcpRoute(adapter);
      closeMcp = mcp.close;
      return [...createRestRoutes(adapter), mcp, createInternalGraphRoute({ gateway, access, secret: secrets.internal, clock })];
    },
  });
  return {
    url: server.url,
    async close() {
      await closeMcp();
      await server.close();
      for (const each of Object.values(sources)) await each.close?.();
    },
  };
}

/** /v1, /mcp and /openapi.json alone, in front of the gateway at GATEWAY_URL. */
export async function startAdapterAlone(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const clock = systemClock;
  const log = createLog(config.LOG_LEVEL);
  const graph = remoteGraph({ url: config.GATEWAY_URL ?? '', secret: secretsOf(config).internal, clock });
  const adapter = { graph, log, config };
  const mcp = createMcpRoute(adapter);
  const front = createFront({
    port: config.PORT,
    host: config.HOST,
    publicUrl: config.PUBLIC_URL,
    trustProxyHops: config.TRUST_PROXY_HOPS,
    routes: [...createRestRoutes(adapter), mcp],
    upgrades: [],
    clock,
    log,
    metrics: createMetrics({ process: true }),
  });
  const { url } = await front.listen();
  return {
    url,
    async close() {
      // First the streams that clients keep open, or the front waits for them.
      await mcp.close();
      await front.close();
      await graph.close();
    },
  };
}
