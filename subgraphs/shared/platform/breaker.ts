// A circuit breaker: after so many failures in a row nobody is sent there for a while, so that nobody waits for what does not answer; then one is let through to see.
import type { Clock } from './clock.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerOptions {
  clock: Clock;
  /** Failures in a row that open it. */
  failures: number;
  /** Milliseconds that it stays open before one is let through. */
  restMs: number;
  /** Called at each change. */
  changed?(state: BreakerState): void;
}

export interface Breaker {
  readonly state: BreakerState;
  /** Whether the next one may go. Of a half-open breaker one may; whoever is let through must say how it went. */
  admits(): boolean;
  succeeded(): void;
  failed(): void;
  /** Whole seconds until one may go again, at least 1. */
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
  /** A clock that was set back ends a rest too. */
  const elapsed = () => Math.abs(clock.now().getTime() - since);
  return {
    get state() {
      return state;
    },
    admits() {
      if (state === 'closed') return true;
      // One that was let through and never came back holds the others no longer than a rest.
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
