// Sheds load when the event loop is late: a request that would be answered too late anyway is refused at once.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface OverloadGuard {
  overloaded(): boolean;
  close(): void;
}

/** How late turns of the event loop are on average, over one interval, before requests are refused. */
const LATE_MS = 500;
const INTERVAL_MS = 250;

export function watchEventLoop(lateMs: number = LATE_MS): OverloadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  let late = false;
  delay.enable();
  const timer = setInterval(() => {
    // Nanoseconds; NaN when the interval saw no sample.
    late = (delay.mean || 0) / 1e6 > lateMs;
    delay.reset();
  }, INTERVAL_MS).unref();
  return {
    overloaded: () => late,
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}
