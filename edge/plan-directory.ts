// Finds the plan of a username. Facts are cached while the feed is connected, and dropped when the feed announces a change.
import { type Failure, fail } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { Lru } from '#platform/lru.ts';
import type { ControlPlane, PlanFacts } from './protocol/control-plane.ts';
import { isRefused } from './protocol/client.ts';
import { LeaseClient } from './lease-client.ts';
import type { Journal } from './journal.ts';
import type { EdgeLimits } from './limits.ts';
import { CompiledRules } from './line-rules.ts';
import type { Carried, PlanMeter, PlanPresence } from './plan-meter.ts';
import { planOfSubject } from './protocol/subject.ts';
import { userStopped } from './user-stop.ts';

export interface PlanDirectoryOptions {
  controlPlane: Pick<ControlPlane, 'plan' | 'sync' | 'follow'>;
  journal: Journal;
  limits: EdgeLimits;
  log: Log;
  monotonic?: () => number;
  /** Counts the bytes of all plans since the start. */
  carried: Carried;
}

interface Entry {
  meter: PlanMeter;
  /** Monotonic milliseconds; -Infinity: the facts may be outdated. */
  fetchedAt: number;
  /** When the facts were last known to be current, in monotonic milliseconds. */
  goodAt: number;
  /** The platform did not answer and is not asked again before this time; undefined: it did answer. */
  askAgainAt: number | undefined;
}

/** A plan and its proxy users on this worker. */
interface Presence extends PlanPresence {
  readonly entries: Set<Entry>;
}

/** How many unknown usernames are cached, for UNKNOWN_MS, so that guesses do not reach the platform. */
const UNKNOWN_NAMES = 10_000;
const UNKNOWN_MS = 2_000;
const SWEEP_MS = 30_000;

/** Why a plan in this status is refused. */
const STATUS_REFUSALS: Record<PlanFacts['status'], ((facts: PlanFacts) => Failure) | undefined> = {
  ACTIVE: undefined,
  EXPIRED: () => fail('bandwidth_used_up'),
  PAUSED: ({ retryAfterSeconds = 1 }) => fail('daily_limit_reached', { retry_after_seconds: retryAfterSeconds }),
};

function refusalOf(facts: PlanFacts): Failure | undefined {
  if (facts.suspended) return fail('account_suspended');
  return facts.stop ? userStopped(facts.stop, facts.retryAfterSeconds) : STATUS_REFUSALS[facts.status]?.(facts);
}

export class PlanDirectory {
  readonly leases: LeaseClient;
  readonly #options: PlanDirectoryOptions;
  readonly #monotonic: () => number;
  readonly #byName = new Map<string, Entry>();
  /** By subject: a plan or a proxy user. */
  readonly #bySubject = new Map<string, Entry>();
  readonly #plans = new Map<string, Presence>();
  readonly #unknown = new Lru<number>(UNKNOWN_NAMES);
  readonly #loading = new Map<string, Promise<PlanMeter | undefined>>();
  readonly #stopFollowing: () => void;
  readonly #sweeper: NodeJS.Timeout;
  #lastBeat = -Infinity;
  #feedStands = false;

  constructor(options: PlanDirectoryOptions) {
    this.#options = options;
    this.#monotonic = options.monotonic ?? (() => performance.now());
    this.leases = new LeaseClient({ ...options, monotonic: this.#monotonic, revoked: (meter) => this.#drop(meter) });
    this.#stopFollowing = options.controlPlane.follow({
      changed: ({ planId, epoch }) => this.#changed(planId, epoch),
      beat: () => this.#beat(),
      lost: () => this.#lost(),
    });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** The plan's meter; undefined without such a plan. A promise only when the platform must be asked. Rejects with `metering_unavailable`. */
  find(username: string): PlanMeter | undefined | Promise<PlanMeter | undefined> {
    const entry = this.#byName.get(username);
    const now = this.#monotonic();
    if (entry && now - entry.fetchedAt < this.#believed(entry.meter, now)) return entry.meter;
    if (entry?.askAgainAt !== undefined && this.#isGraced(entry, now)) {
      // Refresh in the background: nobody waits for a platform that does not answer.
      if (now >= entry.askAgainAt) void this.#load(username).catch(() => {});
      return entry.meter;
    }
    if (!entry && (this.#unknown.get(username) ?? -Infinity) > now) return undefined;
    return this.#load(username);
  }

  /** The feed is connected. */
  get isHeard(): boolean {
    return this.#feedStands && this.#monotonic() - this.#lastBeat <= this.#options.limits.feedSilenceMs;
  }

  /** The feed was connected within the grace. */
  get isGraced(): boolean {
    return this.#monotonic() - this.#lastBeat < this.#options.limits.graceMs;
  }

  /** Ends what customers of a plan have opened by a client network. `username`: the plan's. */
  endNetwork(username: string, network: string): void {
    for (const flow of [...(this.#byName.get(username)?.meter.flows ?? [])])
      if (flow.network === network) flow.cut(fail('proxy_credentials_required'));
  }

  /** The meters of all cached plans, for metrics and support. */
  *meters(): Iterable<PlanMeter> {
    for (const { meter } of this.#byName.values()) yield meter;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#stopFollowing();
    for (const { meter } of this.#byName.values()) meter.cut(fail('metering_unavailable'));
    await this.leases.close();
  }

  /** How long the facts are valid, in milliseconds. */
  #believed(meter: PlanMeter, now: number): number {
    const { factsMs, refusedFactsMs, feedSilenceMs } = this.#options.limits;
    if (!this.#feedStands || now - this.#lastBeat > feedSilenceMs) return 0;
    return meter.refusal ? refusedFactsMs : factsMs;
  }

  /** Whether the facts may be used although the platform does not answer. */
  #isGraced({ goodAt }: Entry, now: number): boolean {
    return now - goodAt < this.#options.limits.graceMs;
  }

  #load(username: string): Promise<PlanMeter | undefined> {
    let loading = this.#loading.get(username);
    if (!loading) {
      loading = this.#fetch(username).finally(() => this.#loading.delete(username));
      this.#loading.set(username, loading);
    }
    return loading;
  }

  async #fetch(username: string): Promise<PlanMeter | undefined> {
    // Taken before the request: a change during the request makes the answer outdated.
    const askedAt = this.#monotonic();
    let facts: PlanFacts | undefined;
    try {
      facts = await this.#options.controlPlane.plan(username);
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, 'a plan cannot be looked up');
      const entry = this.#byName.get(username);
      const now = this.#monotonic();
      if (entry && isRefused(error)) entry.goodAt = -Infinity;
      if (entry && this.#isGraced(entry, now)) {
        entry.askAgainAt = now + this.#options.limits.refusedFactsMs;
        return entry.meter;
      }
      throw fail('metering_unavailable');
    }
    const known = this.#byName.get(username);
    if (!facts) {
      if (known) this.#drop(known.meter);
      this.#unknown.set(username, askedAt + UNKNOWN_MS);
      return undefined;
    }
    if (known && known.meter.facts.epoch > facts.epoch) return known.meter;
    if (known && known.meter.facts.epoch !== facts.epoch) this.#drop(known.meter);
    const entry = this.#byName.get(username) ?? this.#add(username, facts);
    Object.assign(entry, { fetchedAt: askedAt, goodAt: askedAt, askAgainAt: undefined });
    this.#obey(entry.meter, facts);
    const why = refusalOf(facts);
    if (why) this.leases.cut(entry.meter, why);
    else entry.meter.refusal = undefined;
    return entry.meter;
  }

  #changed(planId: string, epoch: number): void {
    const entry = this.#bySubject.get(planId);
    if (entry && entry.meter.facts.epoch < epoch) this.#drop(entry.meter);
    else if (entry) this.#doubt(entry);
    // A change of a plan concerns its proxy users too.
    for (const user of this.#plans.get(planId)?.entries ?? []) if (user !== entry) this.#doubt(user);
  }

  /** The facts may be outdated: returns the leases, and asks the platform if connections are open. */
  #doubt(entry: Entry): void {
    entry.fetchedAt = -Infinity;
    entry.goodAt = -Infinity;
    this.leases.recall(entry.meter);
    this.#refresh(entry);
  }

  /** Asks about a plan with open connections, which would not ask themselves; the answer ends them or lets them go on. */
  #refresh({ meter }: Entry): void {
    if (meter.flows.size > 0) void this.#load(meter.facts.username).catch(() => {});
  }

  #lost(): void {
    this.#feedStands = false;
    for (const entry of this.#byName.values()) if (entry.fetchedAt > -Infinity) entry.goodAt = Math.max(entry.goodAt, this.#lastBeat);
  }

  #beat(): void {
    this.#lastBeat = this.#monotonic();
    if (this.#feedStands) return;
    this.#feedStands = true;
    // Changes may have been missed.
    for (const entry of this.#byName.values()) {
      entry.fetchedAt = -Infinity;
      this.#refresh(entry);
    }
  }

  /** The password was reset or the plan is gone: ends all its connections, and the next log-in asks the platform. */
  #drop(meter: PlanMeter): void {
    const { username, planId } = meter.facts;
    const entry = this.#bySubject.get(planId);
    if (entry?.meter === meter) this.#forget(username, entry);
    this.leases.cut(meter, fail('proxy_credentials_wrong'));
  }

  #sweep(): void {
    const now = this.#monotonic();
    for (const [username, entry] of this.#byName) {
      const { meter, fetchedAt } = entry;
      if (meter.connections > 0 || meter.flows.size > 0 || meter.left > 0 || now - fetchedAt < 2 * SWEEP_MS) continue;
      this.#forget(username, entry);
    }
  }

  #add(username: string, facts: PlanFacts): Entry {
    const planId = planOfSubject(facts.planId);
    const plan = this.#plans.get(planId) ?? { connections: 0, entries: new Set() };
    const entry: Entry = { meter: this.leases.meter(facts, plan), fetchedAt: 0, goodAt: 0, askAgainAt: undefined };
    this.#byName.set(username, entry);
    this.#bySubject.set(facts.planId, entry);
    this.#plans.set(planId, plan);
    plan.entries.add(entry);
    return entry;
  }

  #forget(username: string, entry: Entry): void {
    const subject = entry.meter.facts.planId;
    const planId = planOfSubject(subject);
    const plan = this.#plans.get(planId);
    this.#byName.delete(username);
    this.#bySubject.delete(subject);
    plan?.entries.delete(entry);
    if (plan?.entries.size === 0 && plan.connections === 0) this.#plans.delete(planId);
  }

  /** Takes new facts. Changed rules of a proxy user end its open connections. */
  #obey(meter: PlanMeter, facts: PlanFacts): void {
    const before = meter.facts.rules;
    meter.facts = facts;
    if (JSON.stringify(before) === JSON.stringify(facts.rules)) return;
    meter.rules = facts.rules && new CompiledRules(facts.rules);
    this.leases.cut(meter, fail('proxy_rules_changed'));
  }
}
