// The meter of one plan on one node: forwards a byte only after subtracting it from an open lease. When the leases are spent, all connections of the plan
// pause, without being closed, until a lease is granted or the ledger refuses one.
import { type Failure, fail } from '#platform/errors.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { PlanFacts } from './protocol/control-plane.ts';
import type { Delivery } from './delivery.ts';
import { CompiledRules } from './line-rules.ts';
import type { CountedUse, Lease } from './lease.ts';

/** A connection or association that forwards bytes of a plan. */
export interface Flow {
  readonly origin: KeyedOrigin;
  /** The counter under the present lease, cached here because a look-up per chunk would cost more than the chunk itself. */
  lease: Lease | undefined;
  part: CountedUse | undefined;
  /** Set where bytes that do not arrive are given back. */
  readonly delivery?: Delivery | undefined;
  /** The id of the client network that it was opened by; absent: by a password. */
  readonly network?: string | undefined;
  /** Stops reading on both sides. */
  pause(): void;
  /** Forwards held bytes, then reads on. */
  resume(): void;
  /** Ends it, at once or after the counted bytes are written. */
  cut(why: Failure): void;
}

/** Bytes that a node has carried for all plans. */
export interface Carried {
  up: number;
  down: number;
}

/** What the meter needs to count bytes. */
export type Counted = Pick<Flow, 'origin' | 'lease' | 'part' | 'delivery'>;

/** Counts the bytes of connections. */
export interface Meter {
  readonly flows: Set<Flow>;
  /** All flows are paused until the meter resumes them. */
  readonly starved: boolean;
  /** Counts and returns how many of `bytes` may be forwarded now. The flow holds the rest until `resume`. */
  take(flow: Counted, bytes: number, upward: boolean): number;
  /** Counts all of `bytes`, or nothing and returns false: for data that cannot be forwarded in parts. */
  takeWhole(counted: Counted, bytes: number, upward: boolean): boolean;
}

export interface MeterDemand {
  /** A lease will be needed soon. Called once until the next grant. */
  low(meter: PlanMeter): void;
}

/** The connections of a plan and its proxy users on this worker, for the limit. */
export interface PlanPresence {
  connections: number;
}

interface Waiting {
  resolve(): void;
  reject(why: Failure): void;
}

export class PlanMeter implements Meter {
  facts: PlanFacts;
  /** The rules of a proxy user; undefined: no limits beyond the plan's. */
  rules: CompiledRules | undefined;
  /** Open connections. */
  connections = 0;
  readonly presence: PlanPresence;
  readonly flows = new Set<Flow>();
  /** Connections with counted bytes that the customer has not acknowledged. */
  readonly unsettled = new Set<Delivery>();
  starved = false;
  /** Why the ledger refuses; undefined while it grants. */
  refusal: Failure | undefined;
  /** Monotonic milliseconds of the last byte. */
  lastActive: number;
  readonly #leases: Lease[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #demand: MeterDemand;
  readonly #monotonic: () => number;
  readonly #carried: Carried;
  #asked = false;
  /** Ask for another lease when less than this is left. */
  #low = 0;

  constructor(
    facts: PlanFacts,
    demand: MeterDemand,
    monotonic: () => number,
    carried: Carried,
    presence: PlanPresence = { connections: 0 },
  ) {
    this.#carried = carried;
    this.facts = facts;
    this.rules = facts.rules && new CompiledRules(facts.rules);
    this.presence = presence;
    this.#demand = demand;
    this.#monotonic = monotonic;
    this.lastActive = monotonic();
  }

  take(flow: Counted, bytes: number, upward: boolean): number {
    const now = this.#monotonic();
    this.lastActive = now;
    let taken = 0;
    while (taken < bytes) {
      const lease = this.#spendable(now);
      if (!lease) {
        this.#starve();
        return taken;
      }
      const count = Math.min(bytes - taken, lease.left);
      lease.left -= count;
      taken += count;
      if (flow.lease !== lease || !flow.part) {
        flow.lease = lease;
        flow.part = lease.useOf(flow.origin);
      }
      if (upward) {
        flow.part.up += count;
        this.#carried.up += count;
      } else {
        flow.part.down += count;
        flow.delivery?.add(lease, flow.part, count, this.unsettled);
        this.#carried.down += count;
      }
    }
    if (!this.#asked && this.left < this.#low) this.ask();
    return taken;
  }

  takeWhole(counted: Counted, bytes: number, upward: boolean): boolean {
    const now = this.#monotonic();
    let left = 0;
    for (const lease of this.#leases) if (now <= lease.until) left += lease.left;
    if (left < bytes) {
      this.ask();
      return false;
    }
    return this.take(counted, bytes, upward) === bytes;
  }

  /** The unspent bytes of all leases. */
  get left(): number {
    let left = 0;
    for (const lease of this.#leases) left += lease.left;
    return left;
  }

  /** Resolves when bytes may be spent; rejects with the ledger's reason. Returns undefined when they may already. */
  ready(timeoutMs: number): Promise<void> | undefined {
    if (this.#spendable(this.#monotonic())) return undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(fail('metering_unavailable'));
      }, timeoutMs);
      const waiting: Waiting = {
        resolve: () => (clearTimeout(timer), resolve()),
        reject: (why) => (clearTimeout(timer), reject(why)),
      };
      this.#waiting.push(waiting);
      this.ask();
    });
  }

  /** A connection waits for a lease. */
  get wanting(): boolean {
    return (this.starved && this.flows.size > 0) || this.#waiting.length > 0;
  }

  /** Takes note of bytes that customers have acknowledged, so that they are reported next. */
  settle(): void {
    for (const delivery of this.unsettled) delivery.settle();
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#demand.low(this);
  }

  /** The last request got nothing, but the plan was not refused: asks again when a connection needs it. */
  dropDemand(): void {
    this.#asked = false;
    this.#low = 0;
    if (this.wanting) this.ask();
  }

  grant(lease: Lease): void {
    this.#leases.push(lease);
    this.#low = lease.left / 2;
    this.#asked = false;
    this.refusal = undefined;
    this.lastActive = this.#monotonic();
    for (const waiting of this.#waiting.splice(0)) waiting.resolve();
    if (!this.starved) return;
    this.starved = false;
    for (const flow of this.flows) {
      flow.resume();
      if (this.starved) break;
    }
  }

  /** Closes all leases; unspent bytes go back to the ledger. Flows go on with the next grant. Returns the closed leases. */
  recall(): Lease[] {
    const recalled = this.#leases.splice(0);
    for (const lease of recalled) lease.close();
    this.#asked = false;
    this.#low = 0;
    return recalled;
  }

  /** Ends all flows of this plan and refuses new ones. Returns the closed leases. */
  cut(why: Failure): Lease[] {
    this.refusal = why;
    this.starved = false;
    const recalled = this.recall();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(why);
    for (const flow of [...this.flows]) flow.cut(why);
    return recalled;
  }

  #spendable(now: number): Lease | undefined {
    for (let lease = this.#leases[0]; lease; lease = this.#leases[0]) {
      if (lease.left > 0 && now <= lease.until) return lease;
      lease.close();
      this.#leases.shift();
    }
    return undefined;
  }

  #starve(): void {
    if (!this.starved) {
      this.starved = true;
      for (const flow of this.flows) flow.pause();
    }
    this.ask();
  }
}
