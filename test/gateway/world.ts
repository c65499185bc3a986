// A gateway over the three small subgraphs, which run in its process or each behind its own HTTP server.
import { type Clock, TestClock } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { type Log, silentLog } from '#platform/log.ts';
import { type Metrics, createMetrics } from '#platform/metrics.ts';
import { serveSubgraph } from '#platform/serve.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import type { Executor } from '../../gateway/graph/execution/executor.ts';
import { type Gateway, createGateway } from '../../gateway/graph/gateway.ts';
import type { PlanningLimits } from '../../gateway/graph/planning/planner.ts';
import type { FeedKind } from '../../schema/feeds.ts';
import type { RateLimiter } from '../../gateway/http/rate-limit.ts';
import { inProcessSource } from '../../gateway/graph/sources/in-process.ts';
import { remoteSource } from '../../gateway/graph/sources/remote.ts';
import type { Source } from '../../gateway/graph/sources/source.ts';
import { SUPERGRAPH, createWorld, subgraphsOf } from './small-subgraphs.ts';

export const MODES = ['in process', 'over HTTP'] as const;
export type Mode = (typeof MODES)[number];

export interface TestGateway {
  gateway: Gateway;
  world: ReturnType<typeof createWorld>;
  /** What the sources lead to; another `schema` is served from the next request on. */
  subgraphs: Subgraph[];
  sources: Record<string, Source>;
  clock: TestClock;
  metrics: Metrics;
  /** Subgraph -> its URL. */
  urls: Record<string, string>;
  close(): Promise<void>;
}

export const SECRET = ['a secret of at least thirty-two characters'] as const;

interface GatewayChoices {
  log?: Log;
  executor?: Executor;
  planning?: Partial<PlanningLimits> | undefined;
  now?: (() => number) | undefined;
  charge?: RateLimiter['charge'];
  feeds?: Readonly<Record<string, FeedKind>>;
}

export async function startGateway(mode: Mode, options: GatewayChoices = {}): Promise<TestGateway> {
  const { log = silentLog, executor, planning, now, charge, feeds } = options;
  const clock = new TestClock();
  const world = createWorld();
  const metrics = createMetrics();
  const urls: Record<string, string> = {};
  const sources: Record<string, Source> = {};
  const closers: (() => Promise<void>)[] = [];
  const subgraphs = subgraphsOf(world);
  for (const subgraph of subgraphs) {
    if (mode === 'in process') {
      sources[subgraph.name] = inProcessSource(subgraph, log);
      continue;
    }
    const served = await serveSubgraph(subgraph, { port: 0, host: '127.0.0.1', secret: SECRET, clock: clock as Clock, log });
    urls[subgraph.name] = served.url;
    sources[subgraph.name] = remoteSource(served.url, SECRET, clock, { log, audience: subgraph.name });
    closers.push(served.close);
  }
  const gateway = await createGateway({
    supergraphSdl: SUPERGRAPH,
    sources,
    log,
    metrics,
    clock,
    planning,
    now,
    feeds,
    ...(executor && { executor }),
    ...(charge && { charge }),
  });
  return {
    gateway,
    world,
    subgraphs,
    sources,
    clock,
    metrics,
    urls,
    async close() {
      await gateway.close();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

export const origin = { address: '203.0.113.7', requestId: 'req_test' };
export const anonymous: Viewer = { kind: 'anonymous', ...origin };
export const customer = (accountId: string): Viewer => ({ kind: 'session', accountId, sessionId: 's', staff: false, ...origin });

/** Runs an operation as `viewer`. */
export const ask = (gateway: Gateway, query: string, variables: Record<string, unknown> = {}, viewer: Viewer = anonymous) =>
  gateway.execute(gateway.prepare(query), { variables, viewer });

/** A recorded log entry. */
interface Line {
  level: string;
  fields: Record<string, unknown>;
  message: string;
}

/** A log that records its entries. `lines`: warnings and errors; `told`: entries at info and debug, such as those of requests. */
export function recordingLog(): { log: Log; lines: Line[]; told: Line[] } {
  const [lines, told]: [Line[], Line[]] = [[], []];
  const at = (level: string, to: Line[]) => (fields: Record<string, unknown>, message: string) => to.push({ level, fields, message });
  const log = {
    debug: at('debug', told),
    info: at('info', told),
    warn: at('warn', lines),
    error: at('error', lines),
    child: () => log,
  } as unknown as Log;
  return { log, lines, told };
}

/** Resolves when `condition` holds; checks it after each turn of the event loop. Vitest's time limit ends an endless wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resume) => setImmediate(resume));
}
