// How often somebody may try: per account and per address, so that neither a password nor an address list can be worked through.
import { createHash } from 'node:crypto';
import { type Clock, SECOND, after } from '#shared/clock.ts';
import type { EntityManager } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { forgiveAttempts, takeAttempt } from '../entities/attempt.ts';

export interface Attempts {
  /** Counts one attempt for each name; throws `too_many_attempts` with the wait when one is used up. */
  count(kind: AttemptKind, ...names: string[]): Promise<void>;
  /** A success wipes what was counted for a name. */
  forgive(kind: AttemptKind, name: string): Promise<void>;
}

/** Spec is silent: attempts per window in seconds. */
const LIMITS = {
  /** Per account. */
  log_in: { points: 10, seconds: 900 },
  /** Per client address, which many people may share. */
  log_in_from: { points: 60, seconds: 900 },
  /** Per recipient. */
  mail: { points: 5, seconds: 3_600 },
  /** Per client address. */
  mail_from: { points: 30, seconds: 3_600 },
  /** Asked again of somebody who is signed in, per account. */
  password: { points: 10, seconds: 900 },
  /** Codes of a second factor, per account: six digits must not be guessed through challenge after challenge. */
  second_factor: { points: 20, seconds: 3_600 },
} as const;
export type AttemptKind = keyof typeof LIMITS;

/** A name that is used up is refused for this long without asking the database: a flood costs it a statement per name and span. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 10_000;

/** Counted in the database, so that every process counts with all others. `em`: a connection beside the caller's transaction, which a refusal rolls back. */
export function createAttempts({ em, clock }: { em: () => EntityManager; clock: Clock }): Attempts {
  /** When the window of a name ends, and until when that is believed. */
  const usedUp = new Map<string, { endsAt: Date; until: Date }>();

  function refuse(endsAt: Date, now: Date): never {
    throw fail('too_many_attempts', { retry_after_seconds: Math.ceil((endsAt.getTime() - now.getTime()) / SECOND) });
  }

  async function countOne(kind: AttemptKind, name: string): Promise<void> {
    const now = clock.now();
    const key = `${kind} ${name}`;
    const known = usedUp.get(key);
    if (known && known.until > now && known.endsAt > now) refuse(known.endsAt, now);
    const { points, seconds } = LIMITS[kind];
    const counted = await takeAttempt(em(), { kind, name: hashOf(name), now, windowMs: seconds * SECOND });
    if (counted.points <= points) return void usedUp.delete(key);
    if (usedUp.size >= MOST_REMEMBERED) usedUp.clear();
    const endsAt = after(now, counted.secondsLeft * SECOND);
    usedUp.set(key, { endsAt, until: after(now, REMEMBERED_MS) });
    refuse(endsAt, now);
  }

  return {
    async count(kind, ...names) {
      for (const name of names) await countOne(kind, name);
    },
    async forgive(kind, name) {
      usedUp.delete(`${kind} ${name}`);
      await forgiveAttempts(em(), kind, hashOf(name));
    },
  };
}

const hashOf = (name: string) => createHash('sha256').update(name).digest();
