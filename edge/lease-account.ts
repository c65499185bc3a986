// The leases of one plan on this node, and the size of the next one.
import type { Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import type { PlanMeter } from './plan-meter.ts';

/** When everything is leased to other nodes: twice this is the first wait, which doubles up to the maximum. */
const WAIT_MS = 25;
const MAX_WAIT_MS = 1_000;
/** Leases should last this long at the present rate. */
const AHEAD_MS = 2_000;
const DECAY = 0.7;
/** Leases are renewed after this share of the grace, so that the rest of it remains whenever the platform fails. */
const RENEWED_AFTER = 0.25;
/** How often to check whether sent bytes have arrived, while somebody waits for that. */
const ARRIVAL_MS = 5;

export class LeaseAccount {
  readonly meter: PlanMeter;
  /** Leases not yet reported as final. */
  readonly leases = new Set<Lease>();
  /** Bytes since the last tick. */
  spent = 0;
  /** Bytes a second, decaying. */
  #rate = 0;
  /** The size asked for last, and when, in monotonic milliseconds. */
  #asked = 0;
  #askedAt = -Infinity;
  /** The present wait when everything is leased to other nodes. */
  #waitMs = WAIT_MS;
  /** The platform was asked to call in leases of idle nodes for this plan. */
  #called = false;
  #later: NodeJS.Timeout | undefined;

  constructor(meter: PlanMeter) {
    this.meter = meter;
  }

  /** Almost nothing is being spent, and no retry is scheduled. */
  get idle(): boolean {
    return this.#rate < 1 && this.#later === undefined;
  }

  /** Bytes to ask for: what two seconds, or the grace, need at the present rate, or twice the last size if that was asked for within the last tick. */
  nextSize(now: number, { tickMs, leaseBytesMin, leaseBytesMax, graceMs }: EdgeLimits): number {
    const ahead = Math.max(AHEAD_MS, graceMs);
    const grown = now - this.#askedAt < tickMs ? this.#asked * 2 : 0;
    this.#asked = Math.round(Math.min(leaseBytesMax, Math.max(leaseBytesMin, (this.#rate * ahead) / 1_000, grown)));
    this.#askedAt = now;
    return this.#asked;
  }

  /**
   * `seconds`: since the last tick. Measures the rate, returns unused leases, and closes expired ones. Leases that wait to be renewed are not returned: the
   * platform may be away, and there would be none to get when the plan's customer comes back.
   */
  tick(now: number, seconds: number, limits: EdgeLimits): void {
    const { holdMs, graceMs } = limits;
    this.#rate = Math.max(this.spent / seconds, this.#rate * DECAY);
    this.spent = 0;
    const isIdle = !this.meter.wanting && now - this.meter.lastActive > Math.max(holdMs, graceMs);
    if (isIdle && (graceMs === 0 || this.due(now, limits).length === 0)) this.meter.recall();
    for (const lease of this.leases) if (now > lease.until) lease.close();
  }

  /**
   * Whether to ask the platform to call in leases of idle nodes: only once per wait, since the call reaches this node too. While bytes are on their way
   * to this node's customers, no: those cannot be given back.
   */
  isStarved(): boolean {
    const { wanting, unsettled } = this.meter;
    if (!wanting || unsettled.size > 0 || this.#called) return false;
    this.#called = true;
    return true;
  }

  /** A lease was granted. */
  served(): void {
    this.#called = false;
    this.#waitMs = WAIT_MS;
  }

  /** Leases to renew although they have nothing to report: for the grace, or because spent bytes of a closed lease have not arrived yet. */
  due(now: number, { graceMs, unrenewedMs }: EdgeLimits): Lease[] {
    return [...this.leases].filter(({ closed, pending, reportedAt: toldAt }) =>
      closed ? pending > 0 && now - toldAt > unrenewedMs / 2 : graceMs > 0 && now - toldAt > graceMs * RENEWED_AFTER,
    );
  }

  /** Everything is leased to other nodes, or on its way to customers: asks again when that has arrived, or after a wait that doubles each time. */
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
