// Sheds load when the event loop is late: a request that would be answered too late anyway is refused at once.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface OverloadGuard {
  overloaded(): boolean;
  close(): void;
}

/** How late turns of the event loop are on average, over two intervals in a row, before requests are refused: one long turn, such as a start, is no overload. */
const LATE_MS = 500;
const INTERVAL_MS = 250;

export function watchEventLoop(lateMs: number = LATE_MS): OverloadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  let [late, before] = [false, false];
  delay.enable();
  const timer = setInterval(() => {
    // Nanoseconds; NaN when the interval saw no sample.
    const now = (delay.mean || 0) / 1e6 > lateMs;
    [late, before] = [now && before, now];
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
