// A circuit breaker: after several failures in a row it refuses calls for a while, so that nobody waits for a system that does not answer; then it lets one
// call through to try.
import type { Clock } from './clock.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerOptions {
  clock: Clock;
  /** Failures in a row that open the breaker. */
  failures: number;
  /** Milliseconds that it stays open before one call is let through. */
  restMs: number;
  /** Called at each change. */
  changed?(state: BreakerState): void;
}

export interface Breaker {
  readonly state: BreakerState;
  /** Whether the next call may go. A half-open breaker lets one through; the caller must then call `succeeded` or `failed`. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  /** Whole seconds until the next call may go, at least 1. */
  retryAfterSeconds(): number;
}

export function createBreaker({ clock, failures, restMs, changed }: BreakerOptions): Breaker {
  let state: BreakerState = 'closed';
  let inARow = 0;
  let since = 0;
  const move = (next: BreakerState) => {
    since = clock.now().getTime();
    if (next === state) return;
    state = next;
    changed?.(next);
  };
  /** The absolute value: a clock that was set back ends the open state too. */
  const elapsed = () => Math.abs(clock.now().getTime() - since);
  return {
    get state() {
      return state;
    },
    admits() {
      if (state === 'closed') return true;
      // A call that was let through and never reported blocks the others no longer than `restMs`.
      if (elapsed() < restMs) return false;
      move('half-open');
      return true;
    },
    succeeded() {
      inARow = 0;
      move('closed');
    },
    failed() {
      inARow++;
      if (state !== 'closed' || inARow >= failures) move('open');
    },
    retryAfterSeconds: () => Math.max(1, Math.ceil((restMs - elapsed()) / 1_000)),
  };
}
