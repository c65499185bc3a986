// The leases of one plan on this node, and how much the next one has to be.
import type { Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import type { PlanMeter } from './plan-meter.ts';

/** All that is left is leased elsewhere: ask again after twice this, then less and less often. */
const WAIT_MS = 25;
const MAX_WAIT_MS = 1_000;
/** Leases are large enough for this long at the present rate. */
const AHEAD_MS = 2_000;
const DECAY = 0.7;
/** What is held is renewed when this share of the grace has passed, so that the rest of it is there whenever the platform goes away. */
const RENEWED_AFTER = 0.25;
/** How often is looked whether what was sent has arrived, where somebody waits for it. */
const ARRIVAL_MS = 5;

export class LeaseAccount {
  readonly meter: PlanMeter;
  /** Leases not yet reported as final. */
  readonly leases = new Set<Lease>();
  /** Bytes since the last tick. */
  spent = 0;
  /** Bytes a second, decaying. */
  #rate = 0;
  /** What was asked for last, and when, monotonic milliseconds. */
  #asked = 0;
  #askedAt = -Infinity;
  /** Before the next question, when all is leased elsewhere. */
  #waitMs = WAIT_MS;
  /** What idle nodes hold was called in for it. */
  #called = false;
  #later: NodeJS.Timeout | undefined;

  constructor(meter: PlanMeter) {
    this.meter = meter;
  }

  /** Next to nothing is spent, and nothing is waited for. */
  get idle(): boolean {
    return this.#rate < 1 && this.#later === undefined;
  }

  /**
   * Bytes to ask for: two seconds of the present rate, or all of the grace; as long as that is not known, twice what was spent within the last tick.
   */
  nextSize(now: number, { tickMs, leaseBytesMin, leaseBytesMax, graceMs }: EdgeLimits): number {
    const ahead = Math.max(AHEAD_MS, graceMs);
    const grown = now - this.#askedAt < tickMs ? this.#asked * 2 : 0;
    this.#asked = Math.round(Math.min(leaseBytesMax, Math.max(leaseBytesMin, (this.#rate * ahead) / 1_000, grown)));
    this.#askedAt = now;
    return this.#asked;
  }

  /** `seconds` since the last one: measures the rate, gives back what rests, gives up what is not ours any more. */
  tick(now: number, seconds: number, { holdMs, graceMs }: EdgeLimits): void {
    this.#rate = Math.max(this.spent / seconds, this.#rate * DECAY);
    this.spent = 0;
    if (!this.meter.wanting && now - this.meter.lastActive > Math.max(holdMs, graceMs)) this.meter.recall();
    for (const lease of this.leases) if (now > lease.until) lease.close();
  }

  /**
   * Whether what idle nodes hold is to be called in for it: once, until it has waited, since that calls on this node too. What is on its way to its own
   * customers nobody can give back.
   */
  isStarved(): boolean {
    const { wanting, unsettled } = this.meter;
    if (!wanting || unsettled.size > 0 || this.#called) return false;
    this.#called = true;
    return true;
  }

  /** It was granted a lease. */
  served(): void {
    this.#called = false;
    this.#waitMs = WAIT_MS;
  }

  /** Leases that the ledger is to keep: for the grace, whenever the platform goes away, and for what was spent of them and has not arrived. */
  due(now: number, { graceMs, unrenewedMs }: EdgeLimits): Lease[] {
    return [...this.leases].filter(({ closed, pending, reportedAt: toldAt }) =>
      closed ? pending > 0 && now - toldAt > unrenewedMs / 2 : graceMs > 0 && now - toldAt > graceMs * RENEWED_AFTER,
    );
  }

  /** All that is left is leased elsewhere, or on its way to customers: asks again when that has arrived, or after a time that doubles. */
  askLater(monotonic: () => number): void {
    if (this.#later) return;
    const { meter } = this;
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
    const until = monotonic() + this.#waitMs;
    const look = () => {
      meter.settle();
      if (meter.unsettled.size > 0 && monotonic() < until) {
        this.#later = setTimeout(look, ARRIVAL_MS).unref();
        return;
      }
      this.#later = undefined;
      this.#called = false;
      meter.dropDemand();
    };
    this.#later = setTimeout(look, meter.unsettled.size > 0 ? ARRIVAL_MS : this.#waitMs).unref();
  }
}
