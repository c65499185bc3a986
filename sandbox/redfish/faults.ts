// Faults of the controllers on demand: for the next calls, or for any call by chance.
import type { Random } from '../random.ts';

/**
 * - `hang`: no effect and no answer.
 * - `error`: no effect, the answer is 500.
 * - `no_answer`: the effect happens, but no answer comes.
 * - `wrong_state`: the answer reports success, but nothing has happened.
 * - `refused`: 503, the controller is busy.
 */
export const REDFISH_FAULTS = ['hang', 'error', 'no_answer', 'wrong_state', 'refused'] as const;
export type RedfishFault = (typeof REDFISH_FAULTS)[number];

/** The kinds of calls. */
export const REDFISH_CALLS = ['system', 'media', 'boot', 'reset', 'insert', 'eject', 'readings'] as const;
export type RedfishCall = (typeof REDFISH_CALLS)[number];

export interface RedfishFaults {
  /** Used up one by one; a call takes the first that fits. Without `on` it fits any call. */
  next: { fault: RedfishFault; on?: RedfishCall }[];
  /** The share of calls that each fault hits by chance, 0 to 1. */
  ratios: Partial<Record<RedfishFault, number>>;
}

export function drawRedfishFault(faults: RedfishFaults, random: Random, call: RedfishCall): RedfishFault | null {
  const index = faults.next.findIndex(({ on }) => on === undefined || on === call);
  if (index >= 0) return faults.next.splice(index, 1)[0]?.fault ?? null;
  for (const fault of REDFISH_FAULTS) if (random.chance(faults.ratios[fault] ?? 0)) return fault;
  return null;
}
