// Faults of a vendor's API on demand: for the next requests by name, or for a share of all requests by chance.
import type { Random } from './random.ts';

/**
 * - `rate_limited`: 429, without an effect.
 * - `error_before_effect`: 500, without an effect; a repeated request runs.
 * - `error_after_effect`: 500 although the request had its effect; a repeat with the same key gets the same 500.
 * - `lost_answer`: the request has its effect, but the connection ends without an answer; a repeat with the same key gets the answer.
 * - `no_answer`: the request has its effect, but the answer never comes and the connection stays open until the client gives up.
 */
export type ApiFault = 'rate_limited' | 'error_before_effect' | 'error_after_effect' | 'lost_answer' | 'no_answer';

export interface PlannedFault {
  fault: ApiFault | 'held';
  /** Only for requests whose "METHOD /path" starts with this text; default: any request. */
  on?: string;
  /** With `held`: called when the request has arrived. The request waits until it resolves, and its key is in use meanwhile. */
  until?: () => Promise<unknown>;
}

export interface ApiFaults {
  /** Used up one by one; a request takes the first that fits. */
  next: PlannedFault[];
  /** The share of requests that each fault hits by chance, 0 to 1. */
  ratios: Partial<Record<ApiFault, number>>;
}

/** The fault for the request `target` ("METHOD /path"), or null. */
export function drawFault(faults: ApiFaults, random: Random, target: string): PlannedFault | null {
  const index = faults.next.findIndex((planned) => target.startsWith(planned.on ?? ''));
  if (index >= 0) return faults.next.splice(index, 1)[0] ?? null;
  for (const [fault, ratio] of Object.entries(faults.ratios)) {
    if (random.chance(ratio)) return { fault: fault as ApiFault };
  }
  return null;
}
