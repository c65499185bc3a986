// A proxy node in a process, and a place, of its own. It needs the platform's address and the key that it was enrolled with, no database.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { z } from 'zod';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { runProcess } from '#platform/run-process.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { registerEdgeMetrics } from './edge-metrics.ts';
import { startEdge } from './edge.ts';
import { adoptJournals } from './journal.ts';
import { readExits } from './exits-file.ts';
import { remoteControlPlane } from './remote-control-plane.ts';
import { network, readRules } from './rules-file.ts';
import type { Endpoint } from './target-guard.ts';
import { type Workers, startWorkers } from './workers.ts';

/** "0.0.0.0:7777,[::]:7778" */
const endpoints = z.string().transform((text, context): Endpoint[] =>
  text.split(',').map((entry) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry.trim());
    const address = match?.[1] ?? match?.[2] ?? '';
    if (isIP(address) === 0 || Number(match?.[3]) > 65_535) context.addIssue({ code: 'custom', message: `${entry} is not address:port` });
    return { address, port: Number(match?.[3]) };
  }),
);

const environment = z.object({
  PLATFORM_URL: z.url(),
  /** Where static answers, if it runs in a process of its own. */
  PLATFORM_STATIC_URL: z.url().optional(),
  EDGE_KEY: z.string().min(20),
  EDGE_LISTEN: endpoints.default([
    { address: '0.0.0.0', port: 7777 },
    { address: '0.0.0.0', port: 7778 },
  ]),
  EDGE_EXITS_FILE: z.string(),
  /** Ports where customers speak TLS to the proxy itself. */
  EDGE_TLS_LISTEN: endpoints.optional(),
  EDGE_TLS_CERT_FILE: z.string().optional(),
  EDGE_TLS_KEY_FILE: z.string().optional(),
  /** The operator's own rules on targets. */
  EDGE_RULES_FILE: z.string().optional(),
  /** The operator's own networks, CIDR, separated by commas; beside those of the rules. */
  EDGE_FORBIDDEN_NETWORKS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(network))
    .optional(),
  /** Threads that carry traffic, one per core at most. */
  EDGE_WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  EDGE_METRICS: endpoints.optional(),
  EDGE_DRAIN_MINUTES: z.coerce.number().min(0).default(1),
  DATA_DIR: z.string().default('.data'),
  LOG_LEVEL: z.string().default('info'),
  NODE_ENV: z.string().default('development'),
});

type Settings = z.output<typeof environment>;

/** For giving the leases back, after what was open has had its time. */
const SETTLE_MS = 15 * SECOND;

/** Throws a StartFailure with a sentence per wrong value. */
function readEnvironment(): Settings {
  const read = environment
    .refine((given) => !given.EDGE_TLS_LISTEN || (given.EDGE_TLS_CERT_FILE && given.EDGE_TLS_KEY_FILE), {
      path: ['EDGE_TLS_LISTEN'],
      message: 'needs EDGE_TLS_CERT_FILE and EDGE_TLS_KEY_FILE',
    })
    .safeParse(process.env);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `  - ${path.join('.')} ${message}`);
  throw new StartFailure(`The configuration is not usable:\n${wrong.join('\n')}`);
}

function toOptions(config: Settings) {
  const { EDGE_TLS_LISTEN: secureListen, EDGE_TLS_CERT_FILE: certFile, EDGE_TLS_KEY_FILE: keyFile } = config;
  const rules = config.EDGE_RULES_FILE === undefined ? {} : readRules(config.EDGE_RULES_FILE);
  const log = createLog(config.LOG_LEVEL);
  return {
    controlPlane: remoteControlPlane({ url: config.PLATFORM_URL, staticUrl: config.PLATFORM_STATIC_URL, key: config.EDGE_KEY, log }),
    exits: readExits(config.EDGE_EXITS_FILE),
    listen: config.EDGE_LISTEN,
    log,
    journalFile: join(config.DATA_DIR, 'edge', 'journal'),
    sessionsFile: join(config.DATA_DIR, 'edge', 'sessions'),
    production: config.NODE_ENV === 'production',
    policy: { ...rules, forbiddenNetworks: [...(rules.forbiddenNetworks ?? []), ...(config.EDGE_FORBIDDEN_NETWORKS ?? [])] },
    secure: secureListen && certFile !== undefined && keyFile !== undefined ? { listen: secureListen, certFile, keyFile } : undefined,
  };
}

/** In this thread where one is enough. */
async function startNode(config: Settings): Promise<Workers> {
  const options = toOptions(config);
  if (config.EDGE_WORKERS > 1) return startWorkers({ ...options, count: config.EDGE_WORKERS, logLevel: config.LOG_LEVEL });
  adoptJournals(options.journalFile, [options.journalFile]);
  const edge = await startEdge(options);
  return {
    endpoints: edge.endpoints,
    figures: () => edge.figures(),
    threads: [],
    async end(patienceMs) {
      await edge.drain(patienceMs);
      await edge.close();
    },
  };
}

async function serveMetrics(node: Workers, { address, port }: Endpoint): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'egress_' });
  registerEdgeMetrics(registry, node);
  const server = createServer(
    async (_, response) => void response.writeHead(200, { 'Content-Type': registry.contentType }).end(await registry.metrics()),
  );
  await once(server.listen(port, address), 'listening');
}

await runProcess({
  async start() {
    const config = readEnvironment();
    const node = await startNode(config);
    await using opened = new AsyncDisposableStack();
    const drainMs = config.EDGE_DRAIN_MINUTES * MINUTE;
    // What is open may end by itself; what is not over by then is ended, counted and settled.
    opened.defer(() => node.end(drainMs));
    for (const endpoint of config.EDGE_METRICS ?? []) await serveMetrics(node, endpoint);
    process.stdout.write(`proxy node at ${node.endpoints.map(({ address, port }) => `${address}:${port}`).join(', ')}\n`);
    const closing = opened.move();
    return { close: () => closing.disposeAsync(), closeMs: drainMs + SETTLE_MS };
  },
});
