// What one holder (an address, a caller) may use up within a time. A bucket fills at its own pace, so that a short burst passes and a flood does not.
import { fail } from './errors.ts';
import { Lru } from './lru.ts';

export interface BudgetTerms {
  /** What a holder who has been quiet may use at once. */
  burst: number;
  perSecond: number;
}

export interface Budget {
  /** Throws `too_many_attempts` with the seconds to wait when the holder has used up what it had. An `amount` of 0 only asks. */
  take(holder: string, amount?: number): void;
  /** Counts what is known only afterwards; the next `take` waits until it is paid off. */
  charge(holder: string, amount: number): void;
}

/** Monotonic milliseconds; `performance.now` but in tests. */
export type Ticks = () => number;

/** Holders that are remembered; who is forgotten has a full bucket again. */
const HOLDERS = 50_000;
const SECOND_MS = 1_000;

export function createBudget({ burst, perSecond }: BudgetTerms, now: Ticks = () => performance.now()): Budget {
  const buckets = new Lru<{ level: number; at: number }>(HOLDERS);
  const bucketOf = (holder: string) => {
    const at = now();
    const known = buckets.get(holder);
    const bucket = { level: known ? Math.min(burst, known.level + ((at - known.at) / SECOND_MS) * perSecond) : burst, at };
    buckets.set(holder, bucket);
    return bucket;
  };
  return {
    take(holder, amount = 1) {
      const bucket = bucketOf(holder);
      const needed = Math.max(amount, Number.EPSILON);
      if (bucket.level < needed)
        throw fail('too_many_attempts', { retry_after_seconds: Math.max(1, Math.ceil((needed - bucket.level) / perSecond)) });
      bucket.level -= amount;
    },
    charge(holder, amount) {
      bucketOf(holder).level -= amount;
    },
  };
}
