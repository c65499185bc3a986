// The entry point of a separate proxy node. It needs the platform's address and the key from its enrolment, but no database.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { MINUTE, SECOND, systemClock } from '#platform/clock.ts';
import { environment } from '#platform/environment.ts';
import { type HealthPort, openHealthPort } from '#platform/health-port.ts';
import { leave } from '#platform/leave.ts';
import { createLog } from '#platform/log.ts';
import { createReadiness } from '#platform/readiness.ts';
import { runProcess } from '#platform/run-process.ts';
import { startTracing } from '#platform/tracing.ts';
import type { CertificateKeeper } from './acme/certificate-keeper.ts';
import { endOfCertificate } from './certificate.ts';
import { registerEdgeMetrics } from './edge-metrics.ts';
import { startEdge } from './edge.ts';
import { adoptJournals } from './journal.ts';
import { certificateFiles, orderCertificate } from './node-certificate.ts';
import { readExits } from './exits-file.ts';
import { type NodeSettings, readNodeSettings } from './node-configuration.ts';
import { remoteControlPlane } from './remote-control-plane.ts';
import { readRules } from './rules-file.ts';
import type { Endpoint } from './target-guard.ts';
import { type Workers, startWorkers } from './workers.ts';

/** Time to return the leases after the drain. */
const SETTLE_MS = 15 * SECOND;

function toOptions(config: NodeSettings) {
  const certificate = certificateFiles(config, config.DATA_DIR);
  const rules = config.EDGE_RULES_FILE === undefined ? {} : readRules(config.EDGE_RULES_FILE);
  const log = createLog(config.LOG_LEVEL);
  return {
    controlPlane: remoteControlPlane({ url: config.PLATFORM_URL, staticUrl: config.PLATFORM_STATIC_URL, key: config.EDGE_KEY, log }),
    exits: config.EDGE_EXITS_FILE === undefined ? [] : readExits(config.EDGE_EXITS_FILE),
    exitsFile: config.EDGE_EXITS_FILE,
    listen: config.EDGE_LISTEN,
    log,
    limits: { ...config.EDGE_LIMITS, graceMs: config.EDGE_GRACE_MS },
    journalFile: join(config.DATA_DIR, 'edge', 'journal'),
    sessionsFile: join(config.DATA_DIR, 'edge', 'sessions'),
    production: config.NODE_ENV === 'production',
    policy: { ...rules, forbiddenNetworks: [...(rules.forbiddenNetworks ?? []), ...(config.EDGE_FORBIDDEN_NETWORKS ?? [])] },
    blocklists: config.EDGE_BLOCKLISTS,
    blocklistFolder: join(config.DATA_DIR, 'edge', 'blocklists'),
    secure: certificate && { ...certificate, listen: config.EDGE_TLS_LISTEN ?? [] },
  };
}

/** Starts the node in this thread, or in workers when more than one is configured. */
async function startNode(config: NodeSettings): Promise<Workers> {
  const options = toOptions(config);
  if (config.EDGE_WORKERS > 1) return startWorkers({ ...options, count: config.EDGE_WORKERS, logLevel: config.LOG_LEVEL });
  adoptJournals(options.journalFile, [options.journalFile]);
  const edge = await startEdge(options);
  return {
    endpoints: edge.endpoints,
    figures: () => edge.figures(),
    standing: () => edge.standing(),
    followOrder: (challenges) => edge.followOrder(challenges),
    threads: [],
    async end(patienceMs) {
      await edge.drain(patienceMs);
      await edge.close();
    },
  };
}

function metricsOf(node: Workers, { EDGE_TLS_CERT_FILE: certFile }: NodeSettings, keeper: CertificateKeeper | undefined): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'egress_' });
  const ofFile = certFile === undefined ? undefined : () => ({ ends: endOfCertificate(certFile) });
  registerEdgeMetrics(registry, node, keeper ? () => keeper.figures() : ofFile);
  return registry;
}

async function serveMetrics(registry: Registry, { address, port }: Endpoint): Promise<void> {
  const server = createServer(
    async (_, response) => void response.writeHead(200, { 'Content-Type': registry.contentType }).end(await registry.metrics()),
  );
  await once(server.listen(port, address), 'listening');
}

await runProcess({
  async start() {
    const config = readNodeSettings(environment());
    await using opened = new AsyncDisposableStack();
    opened.defer(startTracing(config, 'egress-edge', createLog(config.LOG_LEVEL)).close);
    const node = await startNode(config);
    const drainMs = config.EDGE_DRAIN_MINUTES * MINUTE;
    // Open connections get time to end by themselves; then they are closed, counted and settled.
    let health: HealthPort | undefined;
    opened.defer(async () => {
      await node.end(drainMs);
      await health?.close();
    });
    const log = createLog(config.LOG_LEVEL);
    const keeper = await orderCertificate(config, config.DATA_DIR, { user: node, clock: systemClock, log });
    if (keeper) opened.defer(() => keeper.close());
    const registry = metricsOf(node, config, keeper);
    for (const endpoint of config.EDGE_METRICS ?? []) await serveMetrics(registry, endpoint);
    const readiness = createReadiness(
      { platform: () => node.standing().platform, listening: () => node.standing().listening },
      { feed: () => node.standing().feed },
      log,
    );
    const PORT = config.EDGE_LISTEN[0]?.port ?? 0;
    health = await openHealthPort({ config: { ...config, HEALTH_PORT: config.HEALTH_PORT, PORT }, metrics: { registry }, log }, readiness);
    process.stdout.write(`proxy node at ${node.endpoints.map(({ address, port }) => `${address}:${port}`).join(', ')}\n`);
    const closing = opened.move();
    return {
      leave: () => leave({ readiness, health, delayMs: config.STOP_DELAY_MS }),
      close: () => closing.disposeAsync(),
      closeMs: drainMs + SETTLE_MS,
    };
  },
});
