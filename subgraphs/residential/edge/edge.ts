// A proxy node: carries customers' traffic, counts it, stops it. Everything it knows of plans comes through a ControlPlane.
import { type Clock, systemClock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { type Admission, createAdmission } from './admission.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import type { ControlPlane } from './control-plane.ts';
import { type Dialler, createDialler } from './dial.ts';
import { createExitHealth } from './exit-health.ts';
import { type ExitDefinition, createExitPools } from './exits.ts';
import { openJournal } from './journal.ts';
import { EDGE_LIMITS, type EdgeLimits } from './limits.ts';
import { createListeners } from './listener.ts';
import { PlanDirectory } from './plan-directory.ts';
import { type Resolver, createResolver } from './resolver.ts';
import { openSessionStore } from './session-store.ts';
import { createSourcePorts } from './source-ports.ts';
import { type Endpoint, createTargetGuard } from './target-guard.ts';

export interface EdgeOptions {
  controlPlane: ControlPlane;
  exits: readonly ExitDefinition[];
  /** Where to listen; port 0 takes a free one. Each takes HTTP and SOCKS5. */
  listen: readonly Endpoint[];
  log: Log;
  /** One per process, kept between starts; undefined where the ledger lives and dies with this process. */
  journalFile?: string | undefined;
  /** Sticky sessions, kept between starts; one per process. */
  sessionsFile?: string | undefined;
  /** The demo's target site: the only endpoint outside the public internet that may be reached. */
  demoTarget?: Endpoint | undefined;
  /** Refuses to start with a demo target. */
  production?: boolean;
  /** The operator's own networks, CIDR. */
  forbiddenNetworks?: readonly string[];
  forbiddenPorts?: ReadonlySet<number>;
  limits?: Partial<EdgeLimits>;
  /** Replaced in tests that must reach nothing. */
  resolver?: Resolver;
  dial?: Dialler;
  attempts?: Attempts;
  monotonic?: () => number;
  /** For lifetimes of sessions across a restart. */
  clock?: Clock;
}

export interface EdgeFigures {
  connections: number;
  plans: number;
  tunnels: number;
  sessions: number;
  exits: number;
  healthyExits: number;
  exchanges: number;
  failedExchanges: number;
}

export interface Edge {
  /** In the order of `listen`. */
  endpoints: readonly Endpoint[];
  /** Of the endpoints. */
  ports: readonly number[];
  admission: Admission;
  plans: PlanDirectory;
  figures(): EdgeFigures;
  /** Takes no new connections and resolves when the open ones are over, or after `patienceMs`. */
  drain(patienceMs: number): Promise<void>;
  /** Ends everything, gives the leases back. */
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
const DRAIN_LOOK_MS = 250;

/** Starts a node. Rejects when a port is taken, or a demo target is set in production. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  if (options.production && options.demoTarget) throw new Error('A demo target is not allowed in production.');
  const { controlPlane, log } = options;
  const limits: EdgeLimits = { ...EDGE_LIMITS, ...options.limits };
  const monotonic = options.monotonic ?? (() => performance.now());
  const plans = new PlanDirectory({ controlPlane, journal: openJournal(options.journalFile), limits, log, monotonic });
  const store = openSessionStore(options.sessionsFile, options.clock ?? systemClock);
  const exits = createExitPools(options.exits, monotonic, store);
  const health = createExitHealth(log);
  const guard = createTargetGuard({
    own: () => listeners.endpoints(),
    demo: options.demoTarget,
    ...(options.forbiddenNetworks && { forbiddenNetworks: options.forbiddenNetworks }),
    ...(options.forbiddenPorts && { forbiddenPorts: options.forbiddenPorts }),
  });
  const admission = createAdmission({
    plans,
    exits,
    health,
    guard,
    limits,
    resolver: options.resolver ?? createResolver(),
    dial: options.dial ?? createDialler(createSourcePorts()),
    attempts: options.attempts ?? createAttempts(monotonic),
  });
  const listeners = createListeners(admission, limits);
  const sweeper = setInterval(() => exits.sweep(), SWEEP_MS);
  sweeper.unref();

  async function close(): Promise<void> {
    clearInterval(sweeper);
    health.close();
    await listeners.close();
    await plans.close();
    store.close();
  }

  const endpoints: Endpoint[] = [];
  try {
    for (const endpoint of options.listen) endpoints.push(await listeners.listen(endpoint));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    endpoints,
    ports: endpoints.map(({ port }) => port),
    admission,
    plans,
    figures() {
      const meters = [...plans.meters()];
      return {
        connections: listeners.connections(),
        plans: meters.length,
        tunnels: meters.reduce((sum, { flows }) => sum + flows.size, 0),
        sessions: exits.sessions(),
        exits: exits.all.length,
        healthyExits: exits.all.filter(({ healthy }) => healthy).length,
        exchanges: plans.leases.counters.exchanges,
        failedExchanges: plans.leases.counters.failures,
      };
    },
    async drain(patienceMs) {
      listeners.drain();
      const until = monotonic() + patienceMs;
      while (listeners.connections() > 0 && monotonic() < until) await new Promise((done) => setTimeout(done, DRAIN_LOOK_MS));
    },
    close,
  };
}
