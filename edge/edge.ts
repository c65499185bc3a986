// A proxy node: carries customers' traffic, counts it, stops it. Everything it knows of plans comes through a ControlPlane.
import { isIP } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { ErrorCode } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { type Admission, createAdmission } from './admission.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts';
import type { ControlPlane, EdgeStatus } from './protocol/control-plane.ts';
import type { ConnectionCounter } from './connection-counter.ts';
import { type Dialler, createDialler } from './dial.ts';
import { foremost, reportStatus, toExitStatus } from './edge-status.ts';
import { createExitHealth } from './exit-health.ts';
import { type ExitDefinition, createExitPools } from './exits.ts';
import { createFeed } from './feed.ts';
import { openJournal } from './journal.ts';
import { EDGE_LIMITS, type EdgeLimits } from './limits.ts';
import { createListeners } from './listener.ts';
import { createMachineAddresses } from './machine-addresses.ts';
import { PlanDirectory } from './plan-directory.ts';
import { type Resolver, createResolver } from './resolver.ts';
import { createSessionClaims } from './session-claims.ts';
import { openSessionStore } from './session-store.ts';
import { createSourcePorts } from './source-ports.ts';
import { EDGE_VERSION } from './edge-version.ts';
import { StaticLines } from './static-lines.ts';
import { type Endpoint, type TargetPolicy, createTargetGuards, plainAddress } from './target-guard.ts';

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
  /** The operator's own rules on targets. */
  policy?: TargetPolicy | undefined;
  /** Ports where customers speak TLS to the proxy itself, and then HTTP or SOCKS5. */
  secure?: (CertificateFiles & { listen: readonly Endpoint[] }) | undefined;
  /** Other workers of this node listen on the same ports. */
  reusePort?: boolean;
  /** Connections of plans and addresses on all workers of this node. */
  counter?: ConnectionCounter;
  version?: string;
  limits?: Partial<EdgeLimits>;
  /** Replaced in tests whose machine has other addresses. */
  networkInterfaces?: typeof networkInterfaces;
  /** Replaced in tests that must reach nothing. */
  resolver?: Resolver;
  dial?: Dialler;
  attempts?: Attempts;
  monotonic?: () => number;
  /** For lifetimes of sessions across a restart. */
  clock?: Clock;
}

export interface EdgeFigures {
  upBytes: number;
  downBytes: number;
  staticLines: number;
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
  /** In the order of `listen`, then those with TLS. */
  endpoints: readonly Endpoint[];
  /** Of the endpoints. */
  ports: readonly number[];
  admission: Admission;
  plans: PlanDirectory;
  staticLines: StaticLines;
  figures(): EdgeFigures;
  /** What the platform is told. */
  status(): EdgeStatus;
  /** Reports it now. */
  sendStatus(): Promise<void>;
  /** Takes no new connections and resolves when the open ones are over, or after `patienceMs`. */
  drain(patienceMs: number): Promise<void>;
  /** Ends everything, gives the leases back. */
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
const DRAIN_LOOK_MS = 250;

/** Where an exit is: an address in its plain form, or the name of a parent. */
function placeOf(exit: ExitDefinition): string {
  const place = exit.kind === 'local' ? exit.address : exit.host.toLowerCase();
  return isIP(place) === 0 ? place : plainAddress(place);
}

/** Starts a node. Rejects when a port is taken, or a demo target is set in production. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  if (options.production && options.demoTarget) throw new Error('A demo target is not allowed in production.');
  const { log } = options;
  const controlPlane: ControlPlane = { ...options.controlPlane, ...createFeed(options.controlPlane) };
  const limits: EdgeLimits = { ...EDGE_LIMITS, ...options.limits };
  const monotonic = options.monotonic ?? (() => performance.now());
  const began = monotonic();
  const carried = { up: 0, down: 0 };
  const refusals: Partial<Record<ErrorCode, number>> = {};
  const plans = new PlanDirectory({ controlPlane, journal: openJournal(options.journalFile), limits, log, monotonic, carried });
  const store = openSessionStore(options.sessionsFile, options.clock ?? systemClock);
  const exits = createExitPools(options.exits, monotonic, store, createSessionClaims(controlPlane));
  const health = createExitHealth(log);
  const guards = createTargetGuards({
    own: (port) => listeners.addressesAt(port),
    machine: createMachineAddresses(monotonic, options.networkInterfaces),
    exits: new Set(options.exits.map((exit) => placeOf(exit))),
    demo: options.demoTarget,
    policy: options.policy,
  });
  const ways = {
    counter: options.counter,
    guards,
    resolver: options.resolver ?? createResolver(),
    dial: options.dial ?? createDialler(createSourcePorts()),
    attempts: options.attempts ?? createAttempts(monotonic),
    limits,
  };
  const admission = createAdmission({ ...ways, plans, exits, health });
  const listeners = createListeners(admission, {
    limits,
    reusePort: options.reusePort ?? false,
    counter: options.counter,
    refused: ({ code }) => {
      refusals[code] = (refusals[code] ?? 0) + 1;
    },
  });
  const staticLines = new StaticLines({ ...ways, controlPlane, listeners, log, carried });
  const sweeper = setInterval(() => exits.sweep(), SWEEP_MS);
  sweeper.unref();
  const { secure } = options;
  const certificate = secure && readCertificate(secure);
  const stopWatching = secure && watchCertificate(secure, log, (renewed) => listeners.renew(renewed));

  function figures(): EdgeFigures {
    let open = 0;
    let tunnels = 0;
    for (const { flows } of plans.meters()) {
      open++;
      tunnels += flows.size;
    }
    return {
      connections: listeners.connections(),
      plans: open,
      tunnels: tunnels + staticLines.tunnels,
      sessions: exits.sessions(),
      exits: exits.all.length,
      healthyExits: exits.all.filter(({ healthy }) => healthy).length,
      exchanges: plans.leases.counters.exchanges,
      failedExchanges: plans.leases.counters.failures,
      upBytes: carried.up,
      downBytes: carried.down,
      staticLines: staticLines.count,
    };
  }

  const status = (): EdgeStatus => {
    const { connections, tunnels, plans: known, sessions, failedExchanges, upBytes, downBytes, healthyExits } = figures();
    return {
      version: options.version ?? EDGE_VERSION,
      uptimeMs: Math.round(monotonic() - began),
      endpoints: endpoints.map(({ address, port }) => `${address}:${port}`),
      connections,
      tunnels,
      plans: known,
      sessions,
      upBytes,
      downBytes,
      ledgerFailures: failedExchanges,
      staticLines: staticLines.count,
      refusals,
      exitCount: exits.all.length,
      healthyExitCount: healthyExits,
      exits: foremost(exits.all.map(toExitStatus)),
    };
  };

  const endpoints: Endpoint[] = [];
  async function open(): Promise<void> {
    // A node that was drained comes back to the ports it had.
    const wanted = endpoints.length > 0 ? endpoints.splice(0) : [...options.listen, ...(secure?.listen ?? [])];
    for (const [index, endpoint] of wanted.entries()) {
      const tls = index < options.listen.length ? undefined : certificate;
      endpoints.push((await listeners.listen(endpoint, { ...(tls && { tls }) })).endpoint);
    }
  }

  const reports = reportStatus(controlPlane, log, status, (wished) => {
    log.info({ draining: wished }, wished ? 'takes no new connections' : 'takes connections again');
    if (wished) listeners.drain();
    else
      open().then(
        () => staticLines.again(),
        (error: unknown) => log.error({ error: String(error) }, 'a port is not free any more'),
      );
  });

  async function close(): Promise<void> {
    clearInterval(sweeper);
    stopWatching?.();
    reports.close();
    health.close();
    await staticLines.close();
    await listeners.close();
    await plans.close();
    store.close();
  }

  try {
    await open();
  } catch (error) {
    await close();
    throw error;
  }

  return {
    endpoints,
    get ports() {
      return endpoints.map(({ port }) => port);
    },
    admission,
    plans,
    staticLines,
    figures,
    status,
    sendStatus: reports.send,
    async drain(patienceMs) {
      listeners.drain();
      const until = monotonic() + patienceMs;
      while (listeners.connections() > 0 && monotonic() < until) await new Promise((done) => setTimeout(done, DRAIN_LOOK_MS));
    },
    close,
  };
}
