// How long an event is tried, and what an answer means.
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';

/** DELIVERED: any 2xx. REFUSED: another status. NO_ANSWER: none in time, or no connection. FORBIDDEN: the name leads where nothing is sent to. */
export type Outcome = 'DELIVERED' | 'REFUSED' | 'NO_ANSWER' | 'FORBIDDEN';
/** Why an end point gets nothing: its owner wished it, it failed for three days, or it answered 410. */
export type DisabledBecause = 'OWNER' | 'FAILING' | 'GONE';

/** Waits after each failure, as the specification has them; together three days. */
const WAITS_MS = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR, 22 * HOUR];

/** Attempts that an event gets before its end point is disabled. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/**
 * When it is tried again after so many failures in a row; undefined: no more. A receiver that asks for more time by Retry-After (whole seconds) gets
 * it, up to a day.
 */
export function nextTryAt(failures: number, now: Date, retryAfterSeconds?: number): Date | undefined {
  const wait = WAITS_MS[failures - 1];
  if (wait === undefined) return undefined;
  return after(now, Math.max(wait, Math.min(DAY, (retryAfterSeconds ?? 0) * 1_000)));
}

/** A receiver that says so wants nothing any more. */
export const isGone = (status: number | null): boolean => status === 410;

/** So long an old secret signs beside the new one. */
export const OVERLAP_MS = DAY;
/** Events and attempts can be read, and sent again, for so long. */
export const KEPT_MS = 30 * DAY;
/** Spec is silent. */
export const MAX_ENDPOINTS = 10;
