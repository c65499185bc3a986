// How long an event is retried, and what an end point's answer means.
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';

/**
 * DELIVERED: any 2xx. REFUSED: any other status. NO_ANSWER: no answer in time, or no connection. FORBIDDEN: the name leads to an address that nothing is sent
 * to.
 */
export const OUTCOMES = ['DELIVERED', 'REFUSED', 'NO_ANSWER', 'FORBIDDEN'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Why an end point is disabled. OWNER: its owner disabled it; FAILING: it failed for three days; GONE: it answered 410. */
export const DISABLED_BECAUSE = ['OWNER', 'FAILING', 'GONE'] as const;
export type DisabledBecause = (typeof DISABLED_BECAUSE)[number];

/** Who asked for an attempt: the platform, or the owner by hand. */
export const ATTEMPT_ASKERS = ['PLATFORM', 'OWNER'] as const;
export type AttemptAsker = (typeof ATTEMPT_ASKERS)[number];

/** How often an event is tried before its end point is disabled. */
export const MAX_ATTEMPTS = WEBHOOKS.waitsMinutes.length + 1;

/**
 * When an event is tried again after that many failures in a row; undefined: never. A receiver that asks for a longer wait (`askedMs`, by Retry-After) gets
 * it, up to a day.
 */
export function nextTryAt(failures: number, now: Date, askedMs = 0): Date | undefined {
  const minutes = WEBHOOKS.waitsMinutes[failures - 1];
  if (minutes === undefined) return undefined;
  return after(now, Math.max(minutes * MINUTE, Math.min(DAY, askedMs)));
}

/** Whether the receiver's answer says that it wants no more events. */
export const isGone = (status: number | null): boolean => status === 410;

/** How long an old secret signs together with the new one. */
export const OVERLAP_MS = WEBHOOKS.secretOverlapHours * HOUR;
