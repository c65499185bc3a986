// A proxy node: carries, counts and stops customers' traffic. It learns everything about plans from a ControlPlane.
import { createMachineAddresses } from '#platform/machine-addresses.ts';
import { systemClock } from '#platform/clock.ts';
import type { ErrorCode } from '#platform/errors.ts';
import type { ChallengeCertificate } from './acme/certificate-request.ts';
import type { Admission } from './admission.ts';
import { createAttempts } from './attempts.ts';
import { Blocklists } from './blocklists.ts';
import { type CertificateWatch, followCertificate } from './certificate.ts';
import type { ControlPlane, EdgeStatus } from './protocol/control-plane.ts';
import { createDialler } from './dial.ts';
import type { EdgeOptions } from './edge-options.ts';
import type { EdgeFigures, EdgeStanding } from './edge-figures.ts';
import { EDGE_VERSION, type StatusReports, foremost, reportStatus, statusOf, toExitStatus } from './edge-status.ts';
import { type ExitHealth, createExitHealth } from './exit-health.ts';
import type { ExitDefinition } from './exit.ts';
import { ExitPlaces, followExitSources } from './exit-sources.ts';
import { type ExitPools, createExitPools } from './exits.ts';
import { dropKeptByOthers } from './kept-target.ts';
import { ClientNetworks } from './client-networks.ts';
import { NetworksInUse } from './networks-in-use.ts';
import { createFeed } from './feed.ts';
import { openJournal } from './journal.ts';
import { EDGE_LIMITS, type EdgeLimits } from './limits.ts';
import { type Listeners, createListeners } from './listener.ts';
import { checkPlaces } from './place-check.ts';
import { PlaceQualities } from './place-quality.ts';
import { PlanAdmission } from './plan-admission.ts';
import { PlanDirectory } from './plan-directory.ts';
import type { Carried } from './plan-meter.ts';
import { baseOf } from './protocol/line-username.ts';
import { RequestLog } from './request-log.ts';
import { createResolver } from './resolver.ts';
import { createSessionClaims } from './session-claims.ts';
import { type SessionStore, openSessionStore } from './session-store.ts';
import { createSourcePorts } from './source-ports.ts';
import { StaticLines } from './static-lines.ts';
import { type Endpoint, createTargetGuards } from './target-guard.ts';
import type { WayOut } from './way-out.ts';

export interface Edge {
  /** In the order of `listen`, then those with TLS. */
  endpoints: readonly Endpoint[];
  ports: readonly number[];
  admission: Admission;
  plans: PlanDirectory;
  staticLines: StaticLines;
  figures(): EdgeFigures;
  standing(): EdgeStanding;
  /** The status as reported to the platform. */
  status(): EdgeStatus;
  /** Answers these challenges of a certificate's order from now on, and takes up a certificate that has changed. */
  followOrder(challenges: readonly ChallengeCertificate[]): Promise<void>;
  /** Reports the status now. */
  sendStatus(): Promise<void>;
  /** Stops listening and resolves when all open connections have ended, or after `patienceMs`. */
  drain(patienceMs: number): Promise<void>;
  /** Closes all connections and returns the leases. */
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
const DRAIN_LOOK_MS = 250;

/** It does not listen until `open` is called. */
class ProxyNode implements Edge {
  readonly endpoints: Endpoint[] = [];
  readonly admission: Admission;
  readonly plans: PlanDirectory;
  readonly staticLines: StaticLines;
  readonly #options: EdgeOptions;
  readonly #monotonic: () => number;
  readonly #began: number;
  readonly #carried: Carried = { up: 0, down: 0 };
  readonly #refusals: Partial<Record<ErrorCode, number>> = {};
  readonly #store: SessionStore;
  readonly #exits: ExitPools;
  readonly #exitPlaces = new ExitPlaces();
  readonly #blocklists: Blocklists;
  readonly #stopExits: () => void;
  readonly #networks: ClientNetworks;
  readonly #listed: NetworksInUse;
  readonly #health: ExitHealth;
  readonly #requests: RequestLog;
  readonly #qualities: PlaceQualities;
  readonly #listeners: Listeners;
  readonly #sweeper: NodeJS.Timeout;
  #listening = false;
  readonly #certificate: CertificateWatch | undefined;
  readonly #reports: StatusReports;

  constructor(options: EdgeOptions) {
    this.#options = options;
    const { log, secure } = options;
    const controlPlane: ControlPlane = { ...options.controlPlane, ...createFeed(options.controlPlane) };
    const limits: EdgeLimits = { ...EDGE_LIMITS, ...options.limits };
    const monotonic = options.monotonic ?? (() => performance.now());
    this.#monotonic = monotonic;
    this.#began = monotonic();
    this.plans = new PlanDirectory({
      controlPlane,
      journal: openJournal(options.journalFile),
      limits,
      log,
      monotonic,
      carried: this.#carried,
    });
    this.#store = openSessionStore(options.sessionsFile, options.clock ?? systemClock);
    this.#exits = createExitPools(options.exits, monotonic, this.#store, createSessionClaims(controlPlane));
    this.#health = createExitHealth(log, { monotonic });
    this.#exitPlaces.set(options.exits);
    this.#blocklists = new Blocklists({ sources: options.blocklists ?? [], folder: options.blocklistFolder, log });
    const ways = this.#waysOut(limits);
    this.#listed = new NetworksInUse(monotonic);
    this.#networks = new ClientNetworks({
      controlPlane,
      log,
      monotonic,
      ended: ({ id, username }) => this.plans.endNetwork(baseOf(username) ?? '', id),
    });
    this.#requests = new RequestLog({
      controlPlane,
      log,
      monotonic,
      clock: options.clock ?? systemClock,
      everyMs: options.requestsEveryMs,
    });
    this.#qualities = new PlaceQualities(monotonic);
    this.admission = new PlanAdmission({
      ...ways,
      plans: this.plans,
      exits: this.#exits,
      health: this.#health,
      networks: this.#networks,
      listed: this.#listed,
      requests: this.#requests,
      qualities: this.#qualities,
      monotonic,
    });
    this.#listeners = createListeners(this.admission, {
      limits,
      reusePort: options.reusePort ?? false,
      isSecure: secure !== undefined,
      counter: options.counter,
      monotonic,
      refused: ({ code }) => void (this.#refusals[code] = (this.#refusals[code] ?? 0) + 1),
    });
    this.staticLines = new StaticLines({ ...ways, controlPlane, listeners: this.#listeners, log, carried: this.#carried, monotonic });
    const changed = (definitions: readonly ExitDefinition[]) => {
      this.#exitPlaces.set(definitions);
      this.#exits.replace(definitions);
      dropKeptByOthers(this.plans.meters(), new Set(this.#exits.all.map(({ definition }) => definition)));
    };
    const stopExits = followExitSources({ ...options, file: options.exitsFile, everyMs: options.exitsLookMs, controlPlane, changed });
    const stopChecks = checkPlaces({ ...ways, exits: () => this.#exits.all, log, monotonic, everyMs: options.placeCheckMs });
    this.#stopExits = () => (stopExits(), stopChecks(), this.#networks.close(), this.#blocklists.close());
    this.#sweeper = setInterval(() => this.#exits.sweep(), SWEEP_MS).unref();
    this.#certificate = secure && followCertificate(secure, log, (certificate) => this.#listeners.renew(certificate));
    this.#reports = reportStatus(controlPlane, log, () => this.status(), this.#setDraining.bind(this));
  }

  /** What all lines share to reach targets. */
  #waysOut(limits: EdgeLimits): WayOut {
    const { networkInterfaces, demoTarget, policy, counter, resolver, dial, attempts } = this.#options;
    const guards = createTargetGuards({
      own: (port) => this.#listeners.addressesAt(port),
      machine: createMachineAddresses(this.#monotonic, networkInterfaces),
      exits: this.#exitPlaces,
      demo: demoTarget,
      policy,
      blocklists: this.#blocklists,
    });
    return {
      counter,
      guards,
      resolver: resolver ?? createResolver(),
      dial: dial ?? createDialler(createSourcePorts()),
      attempts: attempts ?? createAttempts(this.#monotonic),
      limits,
    };
  }

  get ports(): number[] {
    return this.endpoints.map(({ port }) => port);
  }

  /** Reads the block lists, then listens. Rejects when a port is taken. */
  async open(): Promise<void> {
    await this.#blocklists.start();
    const { listen, secure } = this.#options;
    // After a drain the node listens on the same ports as before.
    const wanted = this.endpoints.length > 0 ? this.endpoints.splice(0) : [...listen, ...(secure?.listen ?? [])];
    for (const [index, endpoint] of wanted.entries()) {
      this.endpoints.push((await this.#listeners.listen(endpoint, { secure: index >= listen.length })).endpoint);
    }
    this.#listening = true;
  }

  figures(): EdgeFigures {
    let [open, tunnels] = [0, 0];
    for (const { flows } of this.plans.meters()) {
      open++;
      tunnels += flows.size;
    }
    const { all } = this.#exits;
    return {
      connections: this.#listeners.connections(),
      plans: open,
      tunnels: tunnels + this.staticLines.tunnels,
      sessions: this.#exits.sessions(),
      exits: all.length,
      healthyExits: all.filter(({ healthy }) => healthy).length,
      exchanges: this.plans.leases.counters.exchanges,
      failedExchanges: this.plans.leases.counters.failures,
      upBytes: this.#carried.up,
      downBytes: this.#carried.down,
      staticLines: this.staticLines.count,
      listedTargets: this.#blocklists.size,
      listedRefusals: this.#blocklists.refusals,
      blocklistFailures: this.#blocklists.failures,
    };
  }

  standing(): EdgeStanding {
    const feed = this.plans.isHeard;
    return { feed, platform: feed || this.plans.isGraced, listening: this.#listening };
  }

  status(): EdgeStatus {
    return {
      version: this.#options.version ?? EDGE_VERSION,
      uptimeMs: Math.round(this.#monotonic() - this.#began),
      endpoints: this.endpoints.map(({ address, port }) => `${address}:${port}`),
      ...statusOf(this.figures()),
      refusals: this.#refusals,
      exits: foremost(this.#exits.all.map((exit) => toExitStatus(exit, this.#monotonic()))),
      networksUsed: this.#networks.used(this.#listed),
      staticNetworksUsed: this.staticLines.networksUsed(),
      qualities: this.#qualities.report(),
    };
  }

  async followOrder(challenges: readonly ChallengeCertificate[]): Promise<void> {
    this.#listeners.answerChallenges(challenges);
    this.#certificate?.look();
  }

  sendStatus(): Promise<void> {
    return this.#reports.send();
  }

  /** The platform's order to drain has changed. */
  #setDraining(wished: boolean): void {
    const { log } = this.#options;
    log.info({ draining: wished }, wished ? 'takes no new connections' : 'takes connections again');
    if (wished) this.#stopListening();
    else
      this.open().then(
        () => this.staticLines.again(),
        (error: unknown) => log.error({ error: String(error) }, 'a port is not free any more'),
      );
  }

  #stopListening(): void {
    this.#listening = false;
    this.#listeners.drain();
  }

  async drain(patienceMs: number): Promise<void> {
    this.#stopListening();
    const until = this.#monotonic() + patienceMs;
    while (this.#listeners.connections() > 0 && this.#monotonic() < until) await new Promise((done) => setTimeout(done, DRAIN_LOOK_MS));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#stopExits();
    this.#certificate?.stop();
    this.#reports.close();
    this.#health.close();
    await this.staticLines.close();
    await this.#listeners.close();
    await this.plans.close();
    await this.#requests.close();
    this.#store.close();
  }
}

/** Starts a node. Rejects when a port is taken, or a demo target is set in production. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  if (options.production && options.demoTarget) throw new Error('A demo target is not allowed in production.');
  const node = new ProxyNode(options);
  try {
    await node.open();
  } catch (error) {
    await node.close();
    throw error;
  }
  return node;
}
