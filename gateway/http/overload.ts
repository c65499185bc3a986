// Sheds load by the work in flight: a request that would wait longer than anybody waits is refused at once, so that those who are let in are answered in time.
import { fail } from '#platform/errors.ts';
import type { Ticks } from '#platform/budget.ts';
import { Counts } from '#platform/counts.ts';

export interface OverloadLimits {
  /** Requests of one route whose answer has not begun: where the limit begins, and how far it moves. */
  inFlight: { initial: number; min: number; max: number };
  /** An answer that begins later than this is late: the limit falls. */
  lateMs: number;
  /** How long a request may have waited for those that the event loop read before it, and still be admitted. */
  queuedMs: number;
}

/** The limit rises by one with each answer in time and falls by three tenths, once for each `lateMs`: additive increase, multiplicative decrease (RFC 5681). */
export const OVERLOAD_LIMITS: OverloadLimits = { inFlight: { initial: 1_024, min: 32, max: 2_048 }, lateMs: 1_000, queuedMs: 500 };
const [RISE, FALL] = [1, 0.7];

export interface OverloadGuard {
  /**
   * Throws `overloaded` when this route has enough to do, or the address has half of it already. Counts nothing. An address of '' has no share: who asks
   * there asks for everybody.
   */
  check(route: string, address: string): void;
  /** Counts one from now on, until the function that it returns is called; calling that again does nothing. */
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

  /** Only then does the number in flight have to do with how long an answer takes. */
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

  /** Sockets that are readable are read one after the other: how long this request has waited for those before it. */
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
