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

  constructor(meter: PlanMeter) {
    this.meter = meter;
  }

  /** Next to nothing is spent. */
  get idle(): boolean {
    return this.#rate < 1;
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
    for (const lease of this.leases) if (!lease.final && now > lease.until) lease.close();
  }

  /** It was granted a lease. */
  served(): void {
    this.#waitMs = WAIT_MS;
  }

  /** Milliseconds until it asks again, each time twice as long. */
  nextWaitMs(): number {
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
    return this.#waitMs;
  }
}
