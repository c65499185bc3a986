// Requests begin in their order: one event loop answers more of them a second a few at a time than hundreds at once, whose half-made answers all stay in memory.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Ticks } from '#platform/budget.ts';

export interface ConcurrencyLimits {
  /** Requests at work while the event loop is busy. */
  max: number;
  /** Share of its time from which on the loop is busy: below it, whoever comes begins at once. */
  busyShare: number;
  /** A request that has not begun its answer by then waits for something else (a slow sender, a vendor) and is not counted any more. */
  countedMs: number;
}

/** Measured with lists of 2,000 lines: with 320 at work at once the loop answered a quarter less than with 64; 24 at once are as fast as 64. */
export const CONCURRENCY_LIMITS: ConcurrencyLimits = { max: 24, busyShare: 0.9, countedMs: 500 };
/** How long a reading of the loop's use holds, and how often those who wait are looked at. */
const SAMPLE_MS = 20;

export interface ConcurrencyLimit {
  /** Whether the next one would wait. */
  isFull(): boolean;
  /** Calls `begin` now, or once those before it have begun and there is room; the returned function ends the work, or the wait. Calling it again does nothing. */
  enter(begin: () => void): () => void;
}

interface Entry {
  begin: () => void;
  began: number;
}

/** `busy`: the share of its time that the event loop worked since it was last asked. */
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

  /** For one that comes after so many others. */
  const hasRoom = (before: number): boolean => !isBusy || working.size + before < limits.max;

  /** As many as may begin. */
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
