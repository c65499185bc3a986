// How often somebody may try: per account and per address, so that neither a password nor an address list can be worked through.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { fail } from '#shared/errors.ts';

export interface Attempts {
  /** Counts one attempt for each name; throws `too_many_attempts` with the wait when one is used up. */
  count(kind: AttemptKind, ...names: string[]): Promise<void>;
  /** A success wipes what was counted for a name. */
  forgive(kind: AttemptKind, name: string): Promise<void>;
}

/** Spec is silent: attempts per window in seconds. */
const LIMITS = {
  /** Per account. */
  log_in: { points: 10, duration: 900 },
  /** Per client address, which many people may share. */
  log_in_from: { points: 60, duration: 900 },
  /** Per recipient. */
  mail: { points: 5, duration: 3_600 },
  /** Per client address. */
  mail_from: { points: 30, duration: 3_600 },
  /** Asked again of somebody who is signed in, per account. */
  password: { points: 10, duration: 900 },
  /** Codes of a second factor, per account: six digits must not be guessed through challenge after challenge. */
  second_factor: { points: 20, duration: 3_600 },
} as const;
export type AttemptKind = keyof typeof LIMITS;

export function createAttempts(): Attempts {
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([kind, limit]) => [kind, new RateLimiterMemory({ keyPrefix: kind, ...limit })]),
  ) as Record<AttemptKind, RateLimiterMemory>;
  return {
    async count(kind, ...names) {
      for (const name of names) {
        try {
          await limiters[kind].consume(name);
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          throw fail('too_many_attempts', { retry_after_seconds: Math.ceil(refused.msBeforeNext / 1_000) });
        }
      }
    },
    async forgive(kind, name) {
      await limiters[kind].delete(name);
    },
  };
}
