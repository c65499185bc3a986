// Sheds load by the number of requests in flight: a request that would wait too long is refused at once, so that the admitted ones are answered in time.
import { fail } from '#platform/errors.ts';
import type { Ticks } from '#platform/budget.ts';
import { Counts } from '#platform/counts.ts';

export interface OverloadLimits {
  /** Requests of one route whose answer has not begun: the initial limit, and the range in which it moves. */
  inFlight: { initial: number; min: number; max: number };
  /** Milliseconds after which the beginning of an answer counts as late, so that the limit falls. */
  lateMs: number;
  /** Milliseconds that a request may have waited for those that the event loop read before it; after a longer wait it is refused. */
  queuedMs: number;
}

/** The limit rises by one with each answer in time and falls by three tenths, at most once in `lateMs`: additive increase, multiplicative decrease (RFC 5681). */
export const OVERLOAD_LIMITS: OverloadLimits = { inFlight: { initial: 1_024, min: 32, max: 2_048 }, lateMs: 1_000, queuedMs: 500 };
const [RISE, FALL] = [1, 0.7];

export interface OverloadGuard {
  /**
   * Throws `overloaded` when the route has reached its limit, or the address half of it. Counts nothing. The address '' has no limit of its own:
   * it stands for many clients, as with upgrades and the adapter's requests.
   */
  check(route: string, address: string): void;
  /** Counts a request in until the returned function is called; calling that again does nothing. */
  enter(route: string, address: string): () => void;
}

class RouteLoad {
  readonly addresses = new Counts();
  inFlight = 0;
  limit: number;
  fellAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Below half of the limit, the number in flight has no influence on how long an answer takes. */
  get isHalfFull(): boolean {
    return this.inFlight >= this.limit / 2;
  }
}

export function createOverloadGuard(given: Partial<OverloadLimits> = {}, now: Ticks = () => performance.now()): OverloadGuard {
  const limits = { ...OVERLOAD_LIMITS, ...given };
  const { initial, min, max } = limits.inFlight;
  const routes = new Map<string, RouteLoad>();
  let loopStarted: number | undefined;

  const loadOf = (route: string): RouteLoad => {
    const load = routes.get(route) ?? new RouteLoad(initial);
    routes.set(route, load);
    return load;
  };

  /** Milliseconds since the event loop began to read sockets: how long this request has waited for those that were read before it. */
  function queued(): number {
    const at = now();
    if (loopStarted === undefined) {
      loopStarted = at;
      setImmediate(() => (loopStarted = undefined));
    }
    return at - loopStarted;
  }

  function judge(load: RouteLoad, took: number, half: boolean): void {
    if (!half) return;
    if (took <= limits.lateMs) load.limit = Math.min(max, load.limit + RISE);
    else if (now() - load.fellAt > limits.lateMs) {
      load.fellAt = now();
      load.limit = Math.max(min, Math.floor(load.limit * FALL));
    }
  }

  return {
    check(route, address) {
      const load = loadOf(route);
      const full = load.inFlight >= load.limit || (address !== '' && load.addresses.of(address) >= load.limit / 2);
      if (full || queued() > limits.queuedMs) throw fail('overloaded', { retry_after_seconds: 1 });
    },
    enter(route, address) {
      const load = loadOf(route);
      const started = now();
      load.inFlight++;
      load.addresses.add(address);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const half = load.isHalfFull;
        load.inFlight--;
        load.addresses.remove(address);
        judge(load, now() - started, half);
      };
    },
  };
}
