// How long an event is tried, and what an answer means.
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';

/** DELIVERED: any 2xx. REFUSED: another status. NO_ANSWER: none in time, or no connection. FORBIDDEN: the name leads where nothing is sent to. */
export const OUTCOMES = ['DELIVERED', 'REFUSED', 'NO_ANSWER', 'FORBIDDEN'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Why an end point gets nothing: its owner wished it, it failed for three days, or it answered 410. */
export const DISABLED_BECAUSE = ['OWNER', 'FAILING', 'GONE'] as const;
export type DisabledBecause = (typeof DISABLED_BECAUSE)[number];

/** Who has it tried: by itself, or its owner by hand. */
export const ATTEMPT_ASKERS = ['PLATFORM', 'OWNER'] as const;
export type AttemptAsker = (typeof ATTEMPT_ASKERS)[number];

/** Attempts that an event gets before its end point is disabled. */
export const MAX_ATTEMPTS = WEBHOOKS.waitsMinutes.length + 1;

/**
 * When it is tried again after so many failures in a row; undefined: no more. A receiver that asks for more time by Retry-After (whole seconds) gets
 * it, up to a day.
 */
export function nextTryAt(failures: number, now: Date, retryAfterSeconds?: number): Date | undefined {
  const minutes = WEBHOOKS.waitsMinutes[failures - 1];
  if (minutes === undefined) return undefined;
  return after(now, Math.max(minutes * MINUTE, Math.min(DAY, (retryAfterSeconds ?? 0) * 1_000)));
}

/** A receiver that says so wants nothing any more. */
export const isGone = (status: number | null): boolean => status === 410;

/** So long an old secret signs beside the new one. */
export const OVERLAP_MS = WEBHOOKS.secretOverlapHours * HOUR;
/** Events and attempts can be read, and sent again, for so long. */
export const KEPT_MS = WEBHOOKS.keptDays * DAY;
