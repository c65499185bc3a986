// A rate limit per holder (an address, a caller): a token bucket that refills at a constant pace, so that a short burst passes and a flood does not.
import { fail } from './errors.ts';
import { Lru } from './lru.ts';

export interface BudgetTerms {
  /** What a holder who used nothing lately may use at once. */
  burst: number;
  perSecond: number;
}

export interface Budget {
  /** Throws `too_many_attempts` with the seconds to wait when the bucket of the holder has too little. An `amount` of 0 only checks. */
  take(holder: string, amount?: number): void;
  /** Subtracts an amount that is known only afterwards. The level may fall below zero; the next `take` waits until it has refilled. */
  charge(holder: string, amount: number): void;
}

/** Monotonic milliseconds; `performance.now` except in tests. */
export type Ticks = () => number;

/** How many holders are remembered; one that is forgotten has a full bucket again. */
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
