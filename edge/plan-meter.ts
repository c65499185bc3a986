// The meter of one plan on one node: a byte is forwarded only if it is subtracted from an open lease. When the leases are spent, everything of the
// plan is paused, not closed, until more is granted or the ledger says why not.
import { type Failure, fail } from '#platform/errors.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { PlanFacts } from './protocol/control-plane.ts';
import type { Delivery } from './delivery.ts';
import { CompiledRules } from './line-rules.ts';
import type { CountedUse, Lease } from './lease.ts';

/** Something that forwards bytes of a plan. */
export interface Flow {
  readonly origin: KeyedOrigin;
  /** Where the meter counts this flow under its present lease; kept here because a look-up per chunk would cost more than the chunk. */
  lease: Lease | undefined;
  part: CountedUse | undefined;
  /** Of the customer's connection, where what does not arrive is given back. */
  readonly delivery?: Delivery | undefined;
  /** Stops reading on both sides. */
  pause(): void;
  /** Forwards what was held, then reads on. */
  resume(): void;
  /** Ends it: at once, or after what was counted has been written. */
  cut(why: Failure): void;
}

/** Bytes that a node has carried, of all its plans. */
export interface Carried {
  up: number;
  down: number;
}

/** What bytes are counted for. */
export type Counted = Pick<Flow, 'origin' | 'lease' | 'part' | 'delivery'>;

/** What connections are counted by. */
export interface Meter {
  readonly flows: Set<Flow>;
  /** Everything stands still until the meter resumes its flows. */
  readonly starved: boolean;
  /** Of `bytes`, how many may be forwarded now; they are counted. The flow holds the rest until `resume`. */
  take(flow: Counted, bytes: number, upward: boolean): number;
  /** Counts all of `bytes`, or nothing and false: for what cannot be forwarded in parts. */
  takeWhole(counted: Counted, bytes: number, upward: boolean): boolean;
}

export interface MeterDemand {
  /** More is wanted soon. Called once until the next grant. */
  low(meter: PlanMeter): void;
}

/** A plan with all its users on this worker, for the limit of connections. */
export interface PlanPresence {
  connections: number;
}

interface Waiting {
  resolve(): void;
  reject(why: Failure): void;
}

export class PlanMeter implements Meter {
  facts: PlanFacts;
  /** What lines of a proxy user are for; undefined: whatever the plan's are. */
  rules: CompiledRules | undefined;
  /** Open connections. */
  connections = 0;
  readonly presence: PlanPresence;
  readonly flows = new Set<Flow>();
  /** Customers' connections of which something is counted and not known to have arrived. */
  readonly unsettled = new Set<Delivery>();
  starved = false;
  /** Why nothing is forwarded, as the ledger said; undefined while it grants. */
  refusal: Failure | undefined;
  /** Monotonic milliseconds of the last byte. */
  lastActive: number;
  readonly #leases: Lease[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #demand: MeterDemand;
  readonly #monotonic: () => number;
  readonly #carried: Carried;
  #asked = false;
  /** Ask for more below this. */
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

  /** Unspent bytes of all leases. */
  get left(): number {
    let left = 0;
    for (const lease of this.#leases) left += lease.left;
    return left;
  }

  /** Resolves when there is something to spend; rejects with the ledger's reason. Undefined instead of a promise when that is now. */
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

  /** Somebody waits for bytes that no lease covers. */
  get wanting(): boolean {
    return (this.starved && this.flows.size > 0) || this.#waiting.length > 0;
  }

  /** What customers have acknowledged by now is reported next. */
  settle(): void {
    for (const delivery of this.unsettled) delivery.settle();
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#demand.low(this);
  }

  /** The last demand came to nothing, but nothing is known against the plan: ask again when somebody needs it. */
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

  /** Takes all leases back, unspent bytes and all; flows go on when a new one is granted. Returns the leases, final. */
  recall(): Lease[] {
    const recalled = this.#leases.splice(0);
    for (const lease of recalled) lease.close();
    this.#asked = false;
    this.#low = 0;
    return recalled;
  }

  /** Ends everything of this plan here. Returns the leases, final. */
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
