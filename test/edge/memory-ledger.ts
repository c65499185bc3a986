// A ledger in memory with the rules of the real one, for tests of the data plane: plans, leases, a feed, and a connection that can be cut.
import { createHash } from 'node:crypto';
import type {
  ControlPlane,
  EdgeStatus,
  FeedListener,
  LeaseGrant,
  PlanFacts,
  SyncAnswer,
  SyncRequest,
} from '../../edge/protocol/control-plane.ts';
import type { ClientNetwork } from '../../edge/protocol/client-network.ts';
import { type Counters, LEASE, grantOf, growthOf } from '../../subgraphs/residential/leases/domain/lease.ts';
import { EdgeCallRefused } from '../../edge/protocol/client.ts';
import { type Origin, originKey } from '../../edge/protocol/origin.ts';
import type { ProductCode } from '../../edge/protocol/product.ts';
import type { RequestBatch } from '../../edge/protocol/request-log.ts';
import type { StaticPlanFacts } from '../../edge/protocol/static-plan.ts';

export const PASSWORD = 'correct-horse-battery';
export const fingerprint = (password: string): Buffer => createHash('sha256').update(password).digest();

export interface MemoryPlan {
  planId: string;
  username: string;
  password: string;
  epoch: number;
  /** Passwords from before resets. */
  oldPasswords: string[];
  product: ProductCode;
  totalBytes: bigint;
  dailyLimitBytes: bigint | null;
  usedBytes: bigint;
  usedTodayBytes: bigint;
  /** How often another address of a session was asked for. */
  sessionRenewals: number;
  /** Absent: nothing of its requests is told. */
  requestLog?: PlanFacts['requestLog'];
}

interface MemoryLease {
  plan: MemoryPlan;
  granted: bigint;
  settled: bigint;
  open: boolean;
  parts: Map<string, Counters & { origin: Origin }>;
}

export class MemoryLedger {
  readonly plans = new Map<string, MemoryPlan>();
  readonly leases = new Map<string, MemoryLease>();
  /** The leases that were open at the last check. */
  readonly #open = new Set<MemoryLease>();
  readonly staticPlans = new Map<string, StaticPlanFacts>();
  readonly sessions = new Map<string, { exitId: string; life: number; until: number }>();
  /** The nodes' status reports. */
  readonly statuses: EdgeStatus[] = [];
  /** What nodes told of single requests. */
  readonly batches: RequestBatch[] = [];
  /** Tells nodes to drain. */
  draining = false;
  #networks: readonly ClientNetwork[] = [];
  readonly #listeners = new Set<FeedListener>();
  readonly #beats: NodeJS.Timeout;
  /** The validity of leases. */
  validMs = LEASE.validMs;
  /** True: the platform does not answer. */
  away = false;
  /** True: the platform refuses the node's key. */
  unknown = false;
  /** Called before each exchange. */
  onSync: ((request: SyncRequest) => void) | undefined;
  onClaim: (() => void) | undefined;

  constructor() {
    this.#beats = setInterval(() => {
      if (!this.away) for (const listener of this.#listeners) listener.beat();
    }, 200);
    this.#beats.unref();
  }

  plan(given: Partial<MemoryPlan> = {}): MemoryPlan {
    const number = this.plans.size + 1;
    const plan: MemoryPlan = {
      planId: `plan_${number}`,
      username: `user${number}`,
      password: PASSWORD,
      oldPasswords: [],
      epoch: 1,
      product: 'PREMIUM',
      totalBytes: 10n ** 12n,
      dailyLimitBytes: null,
      usedBytes: 0n,
      usedTodayBytes: 0n,
      sessionRenewals: 0,
      ...given,
    };
    this.plans.set(plan.username, plan);
    return plan;
  }

  /** Changes a plan and notifies every node. */
  change(plan: MemoryPlan, changes: Partial<MemoryPlan>): void {
    Object.assign(plan, changes);
    this.announce(plan);
  }

  /** Ends the sessions with this key, as an owner who asks for another address does. */
  renewSession(plan: MemoryPlan, key: string): void {
    const session = this.sessions.get(key);
    if (session) session.until = 0;
    this.change(plan, { sessionRenewals: plan.sessionRenewals + 1 });
  }

  reset(plan: MemoryPlan, password: string): void {
    this.change(plan, { password, oldPasswords: [plan.password, ...plan.oldPasswords], epoch: plan.epoch + 1 });
  }

  /** Sets a static plan's facts; undefined: it has no lines any more. */
  setStatic(planId: string, plan: StaticPlanFacts | undefined): void {
    if (plan) this.staticPlans.set(planId, plan);
    else this.staticPlans.delete(planId);
    if (!this.away) for (const listener of this.#listeners) listener.staticChanged?.(planId);
  }

  /** Sets the client networks that log in without a password. */
  setNetworks(networks: readonly ClientNetwork[]): void {
    this.#networks = networks;
    if (!this.away) for (const listener of this.#listeners) listener.networksChanged?.();
  }

  announce(plan: MemoryPlan): void {
    if (!this.away) for (const listener of this.#listeners) listener.changed({ planId: plan.planId, epoch: plan.epoch });
  }

  leasedBytes(plan: MemoryPlan): bigint {
    let sum = 0n;
    for (const lease of this.#open) {
      if (!lease.open) this.#open.delete(lease);
      else if (lease.plan === plan) sum += lease.granted - lease.settled;
    }
    return sum;
  }

  /** Settled bytes by origin, over all leases. */
  breakdown(plan: MemoryPlan): Map<string, Counters> {
    const sums = new Map<string, Counters>();
    for (const lease of this.leases.values()) {
      if (lease.plan !== plan) continue;
      for (const [key, { up, down }] of lease.parts) {
        const sum = sums.get(key) ?? { up: 0n, down: 0n };
        sums.set(key, { up: sum.up + up, down: sum.down + down });
      }
    }
    return sums;
  }

  /** The control plane of one node. */
  controlPlane(): ControlPlane {
    return {
      plan: async (username) => {
        this.#reach();
        const plan = this.plans.get(username);
        return plan && this.#facts(plan);
      },
      sync: async (request) => {
        this.#reach();
        this.onSync?.(request);
        return this.sync(request);
      },
      staticPlans: async (ids) => {
        this.#reach();
        return [...this.staticPlans.values()].filter(({ planId }) => !ids || ids.includes(planId));
      },
      claim: async (claims) => {
        this.#reach();
        this.onClaim?.();
        return claims.map(({ key, exitId: wished, spareId, after, life, lifetimeMs, lost }) => {
          const known = this.sessions.get(key);
          const before = known ?? (after === undefined ? undefined : this.sessions.get(after));
          const exitId = lost === undefined && before?.exitId === wished ? (spareId ?? wished) : wished;
          const alive = known !== undefined && known.until > performance.now();
          const session = alive
            ? { ...known, exitId: lost === known.exitId ? exitId : known.exitId }
            : { exitId, life: Math.max(life, known ? known.life + 1 : 0), until: performance.now() + lifetimeMs };
          this.sessions.set(key, session);
          return { exitId: session.exitId, life: session.life, leftMs: session.until - performance.now() };
        });
      },
      networks: async () => {
        this.#reach();
        return this.#networks;
      },
      logRequests: async (batch) => {
        this.#reach();
        this.batches.push(batch);
      },
      report: async (status) => {
        this.#reach();
        this.statuses.push(status);
        return { draining: this.draining };
      },
      follow: (listener) => {
        this.#listeners.add(listener);
        if (!this.away) listener.beat();
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  sync({ reports, wants, graceMs = 0 }: SyncRequest): SyncAnswer {
    const validMs = Math.max(this.validMs, graceMs);
    const renewed = reports.flatMap(({ lease: id, parts, final }) => {
      const lease = this.leases.get(id);
      if (!lease) return [];
      for (const { up, down, ...origin } of parts) {
        const key = originKey(origin);
        const known = lease.parts.get(key) ?? { up: 0n, down: 0n, origin };
        const growth = growthOf(known, { up: BigInt(up), down: BigInt(down) }, lease.granted - lease.settled);
        lease.parts.set(key, { origin, up: known.up + growth.up, down: known.down + growth.down });
        lease.settled += growth.up + growth.down;
        lease.plan.usedBytes += growth.up + growth.down;
        lease.plan.usedTodayBytes += growth.up + growth.down;
      }
      if (final) lease.open = false;
      return lease.open ? [{ lease: id, validMs }] : [];
    });
    const grants = wants.map(({ planId, epoch, bytes, starved }): LeaseGrant => {
      const none = { planId, bytes: 0, validMs: 0 };
      const plan = [...this.plans.values()].find((candidate) => candidate.planId === planId);
      if (!plan) return { ...none, outcome: 'unknown' };
      if (plan.epoch !== epoch) return { ...none, outcome: 'revoked' };
      const leased = this.leasedBytes(plan);
      const grant = grantOf(BigInt(bytes), { ...plan, leasedBytes: leased, leasedTodayBytes: leased });
      if (grant.outcome === 'wait') {
        if (starved) queueMicrotask(() => this.announce(plan));
        return { ...none, outcome: 'wait' };
      }
      if (grant.outcome !== 'granted') return { ...none, outcome: grant.outcome, validMs: 3_600_000 };
      const id = String(this.leases.size + 1);
      const lease = { plan, granted: grant.bytes, settled: 0n, open: true, parts: new Map() };
      this.leases.set(id, lease);
      this.#open.add(lease);
      return { planId, outcome: 'granted', lease: id, bytes: Number(grant.bytes), validMs };
    });
    return { renewed, grants };
  }

  /** Disconnects the feeds of all nodes, as when the platform restarts. */
  cutOff(): void {
    this.away = true;
    for (const listener of this.#listeners) listener.lost();
  }

  comeBack(): void {
    this.away = false;
    for (const listener of this.#listeners) listener.beat();
  }

  close(): void {
    clearInterval(this.#beats);
  }

  #reach(): void {
    if (this.away) throw new Error('the platform is away');
    if (this.unknown) throw new EdgeCallRefused(401);
  }

  #facts({
    planId,
    username,
    password,
    oldPasswords,
    epoch,
    product,
    totalBytes,
    usedBytes,
    dailyLimitBytes,
    usedTodayBytes,
    requestLog,
    sessionRenewals,
  }: MemoryPlan): PlanFacts {
    const status =
      usedBytes >= totalBytes ? 'EXPIRED' : dailyLimitBytes !== null && usedTodayBytes >= dailyLimitBytes ? 'PAUSED' : 'ACTIVE';
    return {
      planId,
      username,
      epoch,
      fingerprint: fingerprint(password),
      oldFingerprints: oldPasswords.map(fingerprint),
      product,
      sessionMinutes: [5, 30, 60, 120],
      ...(requestLog && { requestLog }),
      ...(sessionRenewals > 0 && { sessionRenewals }),
      status,
      retryAfterSeconds: 3_600,
    };
  }
}
