// On a busy event loop only a few requests run at once, in the order of their arrival: hundreds at once are slower, and all their unfinished answers stay in memory.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Ticks } from '#platform/budget.ts';

export interface ConcurrencyLimits {
  /** Requests that run at once while the event loop is busy. */
  max: number;
  /** Share of the event loop's time from which it counts as busy; below, every request begins at once. */
  busyShare: number;
  /** A request whose answer has not begun after this time waits for something else (a slow sender, a vendor) and no longer counts. */
  countedMs: number;
}

/** Measured with lists of 2,000 lines: with 320 requests at once the loop answered a quarter fewer than with 64; 24 at once are as fast as 64. */
export const CONCURRENCY_LIMITS: ConcurrencyLimits = { max: 24, busyShare: 0.9, countedMs: 500 };
/** How long a measurement of the loop's use is valid, and how often the waiting requests are checked. */
const SAMPLE_MS = 20;

export interface ConcurrencyLimit {
  /** Whether the next request would wait. */
  isFull(): boolean;
  /**
   * Calls `begin` now or, on a busy loop, when the requests before it have begun and there is room. The returned function ends the work or the wait; calling it again does
   * nothing.
   */
  enter(begin: () => void): () => void;
}

interface Entry {
  begin: () => void;
  began: number;
}

/** `busy`: the share of time for which the event loop was busy since the previous call. */
export function createConcurrencyLimit(
  given: Partial<ConcurrencyLimits> = {},
  now: Ticks = () => performance.now(),
  busy: () => number = loopUse(),
): ConcurrencyLimit {
  const limits = { ...CONCURRENCY_LIMITS, ...given };
  const waiting: Set<Entry> = new Set();
  const working: Set<Entry> = new Set();
  let sampledAt = Number.NEGATIVE_INFINITY;
  let isBusy = false;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    if (now() - sampledAt < SAMPLE_MS) return;
    sampledAt = now();
    isBusy = busy() >= limits.busyShare;
    for (const entry of working) {
      if (now() - entry.began < limits.countedMs) break;
      working.delete(entry);
    }
  }

  function start(entry: Entry): void {
    waiting.delete(entry);
    working.add(entry);
    entry.began = now();
    entry.begin();
  }

  /** Whether a request may begin that has `before` waiting requests ahead of it. */
  const hasRoom = (before: number): boolean => !isBusy || working.size + before < limits.max;

  /** Begins as many waiting requests as there is room for. */
  function next(): void {
    sample();
    for (const entry of waiting) {
      if (!hasRoom(0)) break;
      start(entry);
    }
    if (waiting.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else timer ??= setInterval(next, SAMPLE_MS);
  }

  return {
    isFull() {
      sample();
      return !hasRoom(waiting.size);
    },
    enter(begin) {
      const entry: Entry = { begin, began: 0 };
      waiting.add(entry);
      next();
      return () => {
        const held = waiting.delete(entry) || working.delete(entry);
        if (held && waiting.size > 0) next();
      };
    },
  };
}

function loopUse(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    return utilization;
  };
}
