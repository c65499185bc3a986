// A customer with ordinary requests during an attack, and how they fared.
import { setTimeout as pause } from 'node:timers/promises';

/** One ordinary request. Resolves with what went wrong, or undefined. */
export type Errand = () => Promise<string | undefined>;

export interface Experience {
  count: number;
  /** Fault -> how often it occurred. */
  faults: Map<string, number>;
  /** Duration of one errand, in milliseconds. */
  median: number;
  p99: number;
  slowest: number;
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** Repeats the errand every `everyMs` until `over` returns true or it was done `max` times. */
export async function keepDoing(errand: Errand, everyMs: number, over: () => boolean, max = Infinity): Promise<Experience> {
  const times: number[] = [];
  const faults = new Map<string, number>();
  while (!over() && times.length < max) {
    const started = performance.now();
    const fault = await errand().catch((error: unknown) => String(error));
    times.push(performance.now() - started);
    if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    await pause(everyMs);
  }
  times.sort((one, other) => one - other);
  return { count: times.length, faults, median: share(times, 0.5), p99: share(times, 0.99), slowest: times.at(-1) ?? 0 };
}

export const toText = ({ count, faults, median, p99, slowest }: Experience): string =>
  `${count} times, median ${median.toFixed(0)} ms, 99 % within ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms` +
  (faults.size === 0 ? '' : `; went wrong: ${[...faults].map(([fault, often]) => `${often} x ${fault}`).join('; ')}`);
