// Limits how often somebody may fail, so that nobody can guess through passwords or addresses, and nobody is kept out by somebody else's failures.
import { createHash } from 'node:crypto';
import { type Clock, SECOND, after } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { ATTEMPT_LIMITS, type AttemptKind, isForgiven } from '../domain/attempt-limits.ts';
import { forgiveAttempts, returnAttempt, takeAttempt } from '../entities/attempt.ts';

/** A count that a try is added to. */
export interface Try {
  kind: AttemptKind;
  name: string;
}

export interface Attempts {
  /**
   * Makes a try that may be wrong. `work` returns a value when it is right, and undefined when it is wrong. The try is counted before `work` runs, so that
   * concurrent tries cannot exceed the limit together. A right try is taken back and resets the delays of `tries`; one whose `work` throws is taken back.
   * Throws `too_many_attempts` with the seconds to wait when one of `tries` comes too early: `work` is then not run.
   */
  judge<Right>(tries: readonly Try[], work: () => Promise<Right | undefined>): Promise<Right | undefined>;
  /** Counts an action that costs us something each time. Throws `too_many_attempts`. */
  count(tries: readonly Try[]): Promise<void>;
  /** Counts an action, and returns whether it is within its limits: for callers whose answer must be the same either way. */
  allows(tries: readonly Try[]): Promise<boolean>;
}

/** A name that has to wait is refused for this long without asking the database, so that a flood costs one statement per name and span. */
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** Tries are counted in the database, over all processes. `em`: a connection apart from the caller's transaction, which a refusal rolls back. */
export function createAttempts({ em, clock }: { em: () => EntityManager; clock: Clock }): Attempts {
  /** Names that have to wait: until when, and until when this entry is trusted. */
  const waiting = new Map<string, { retryAt: Date; until: Date }>();
  const labelOf = ({ kind, name }: Try) => `${kind} ${name}`;
  const keyOf = ({ kind, name }: Try) => ({ kind, name: createHash('sha256').update(name).digest() });

  /** Counts one try. Until when it has to wait; undefined when it may be made. */
  async function takeOne(one: Try): Promise<Date | undefined> {
    const now = clock.now();
    const taken = await takeAttempt(em(), keyOf(one), ATTEMPT_LIMITS[one.kind], now);
    if (taken.passed) return undefined;
    if (waiting.size >= MAX_REMEMBERED) waiting.clear();
    waiting.set(labelOf(one), { retryAt: taken.retryAt, until: after(now, REMEMBERED_MS) });
    return taken.retryAt;
  }

  async function refund(tries: readonly Try[]): Promise<void> {
    for (const one of tries) {
      waiting.delete(labelOf(one));
      await returnAttempt(em(), keyOf(one), clock.now());
    }
  }

  /** Counts all tries or none. Until when they have to wait; undefined when they may be made. */
  async function take(tries: readonly Try[]): Promise<Date | undefined> {
    const now = clock.now();
    for (const one of tries) {
      const known = waiting.get(labelOf(one));
      if (known && known.until > now && known.retryAt > now) return known.retryAt;
    }
    const taken: Try[] = [];
    for (const one of tries) {
      const retryAt = await takeOne(one);
      if (retryAt) {
        await refund(taken);
        return retryAt;
      }
      taken.push(one);
    }
    return undefined;
  }

  async function require(tries: readonly Try[]): Promise<void> {
    const retryAt = await take(tries);
    if (retryAt)
      throw fail('too_many_attempts', {
        retry_after_seconds: Math.max(1, Math.ceil((retryAt.getTime() - clock.now().getTime()) / SECOND)),
      });
  }

  return {
    async judge(tries, work) {
      await require(tries);
      let right: Awaited<ReturnType<typeof work>>;
      try {
        right = await work();
      } catch (error) {
        await refund(tries);
        throw error;
      }
      if (right === undefined) return undefined;
      for (const one of tries) {
        if (!isForgiven(one.kind)) {
          await refund([one]);
          continue;
        }
        waiting.delete(labelOf(one));
        await forgiveAttempts(em(), keyOf(one));
      }
      return right;
    },
    count: require,
    allows: async (tries) => (await take(tries)) === undefined,
  };
}
