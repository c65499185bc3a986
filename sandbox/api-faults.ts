// Trouble of a vendor's API on demand: the next requests by name, or a ratio of all by chance.
import type { Random } from './random.ts';

/**
 * - `rate_limited`: 429, nothing has happened.
 * - `error_before_effect`: 500, nothing has happened; a repeat runs.
 * - `error_after_effect`: it has happened, the answer is 500, and a repeat under the same key gets that 500 again.
 * - `lost_answer`: it has happened, the connection ends without an answer; a repeat under the same key gets the answer.
 * - `no_answer`: it has happened, the answer never comes and the connection stays open until the client gives up.
 */
export type ApiFault = 'rate_limited' | 'error_before_effect' | 'error_after_effect' | 'lost_answer' | 'no_answer';

export interface PlannedFault {
  fault: ApiFault | 'held';
  /** Only for requests whose "METHOD /path" starts so; any request by default. */
  on?: string;
  /** With `held`: called when the request has arrived, which then waits for it while its key is in use. */
  until?: () => Promise<unknown>;
}

export interface ApiFaults {
  /** Used up one by one, the first that fits. */
  next: PlannedFault[];
  /** How often each happens by chance, 0 to 1. */
  ratios: Partial<Record<ApiFault, number>>;
}

/** What happens to the request `target` ("METHOD /path"), if anything. */
export function drawFault(faults: ApiFaults, random: Random, target: string): PlannedFault | null {
  const index = faults.next.findIndex((planned) => target.startsWith(planned.on ?? ''));
  if (index >= 0) return faults.next.splice(index, 1)[0] ?? null;
  for (const [fault, ratio] of Object.entries(faults.ratios)) {
    if (random.chance(ratio)) return { fault: fault as ApiFault };
  }
  return null;
}
