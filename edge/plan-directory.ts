// Which plan a username is, as far as this node may believe it: cached while the feed stands, dropped at once when the feed says otherwise.
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
  /** Bytes of all plans since the start. */
  carried: Carried;
}

interface Entry {
  meter: PlanMeter;
  /** Monotonic milliseconds; -Infinity: what is known may be old. */
  fetchedAt: number;
  /** When what is known was the truth for the last time, as far as the news tell; monotonic milliseconds. */
  goodAt: number;
  /** The platform did not answer, and is asked again no sooner than this; undefined: it did. */
  askAgainAt: number | undefined;
}

/** A plan with its users on this worker. */
interface Presence extends PlanPresence {
  readonly entries: Set<Entry>;
}

/** Usernames that nobody has, remembered for a moment, so that guessing does not reach the platform. */
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
  /** By what is metered: a plan, or a user of one. */
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

  /** The plan's meter; undefined when there is no such plan. A promise only when the platform must be asked. Rejects with `metering_unavailable`. */
  find(username: string): PlanMeter | undefined | Promise<PlanMeter | undefined> {
    const entry = this.#byName.get(username);
    const now = this.#monotonic();
    if (entry && now - entry.fetchedAt < this.#believed(entry.meter, now)) return entry.meter;
    if (entry?.askAgainAt !== undefined && this.#isGraced(entry, now)) {
      // Nobody waits for a platform that is away.
      if (now >= entry.askAgainAt) void this.#load(username).catch(() => {});
      return entry.meter;
    }
    if (!entry && (this.#unknown.get(username) ?? -Infinity) > now) return undefined;
    return this.#load(username);
  }

  /** The platform's news arrive. */
  get isHeard(): boolean {
    return this.#feedStands && this.#monotonic() - this.#lastBeat <= this.#options.limits.feedSilenceMs;
  }

  /** It goes on without them for a while. */
  get isGraced(): boolean {
    return this.#monotonic() - this.#lastBeat < this.#options.limits.graceMs;
  }

  /** All plans that have something open here: for metrics and support. */
  *meters(): Iterable<PlanMeter> {
    for (const { meter } of this.#byName.values()) yield meter;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#stopFollowing();
    for (const { meter } of this.#byName.values()) meter.cut(fail('metering_unavailable'));
    await this.leases.close();
  }

  /** Milliseconds that facts are good for. */
  #believed(meter: PlanMeter, now: number): number {
    const { factsMs, refusedFactsMs, feedSilenceMs } = this.#options.limits;
    if (!this.#feedStands || now - this.#lastBeat > feedSilenceMs) return 0;
    return meter.refusal ? refusedFactsMs : factsMs;
  }

  /** What is known of it may be gone by while the platform does not answer. */
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
    // From before the question: what changes while it is under way makes the answer old.
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
    // What a plan may, its users may no further.
    for (const user of this.#plans.get(planId)?.entries ?? []) if (user !== entry) this.#doubt(user);
  }

  /** What is known of it may be old. */
  #doubt(entry: Entry): void {
    entry.fetchedAt = -Infinity;
    entry.goodAt = -Infinity;
    this.leases.recall(entry.meter);
    this.#refresh(entry);
  }

  /** Open connections of a plan wait for nobody to ask about it: they are ended or left by what the platform says now. */
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
    // News was missed.
    for (const entry of this.#byName.values()) {
      entry.fetchedAt = -Infinity;
      this.#refresh(entry);
    }
  }

  /** Its password is of the past, or it is gone: everything open ends, and the next log-in asks the platform. */
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

  /** What a user's lines are for holds for what is open as well. */
  #obey(meter: PlanMeter, facts: PlanFacts): void {
    const before = meter.facts.rules;
    meter.facts = facts;
    if (JSON.stringify(before) === JSON.stringify(facts.rules)) return;
    meter.rules = facts.rules && new CompiledRules(facts.rules);
    this.leases.cut(meter, fail('proxy_rules_changed'));
  }
}
