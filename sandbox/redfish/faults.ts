// Trouble of the controllers on demand: the next calls, or any by chance.
import type { Random } from '../random.ts';

/**
 * - `hang`: nothing happens, and no answer comes.
 * - `error`: nothing happens, the answer is 500.
 * - `no_answer`: it happens, and no answer comes.
 * - `wrong_state`: the answer says that it has happened; it has not.
 * - `refused`: 503, the controller is busy.
 */
export const REDFISH_FAULTS = ['hang', 'error', 'no_answer', 'wrong_state', 'refused'] as const;
export type RedfishFault = (typeof REDFISH_FAULTS)[number];

/** Calls, by what they do. */
export const REDFISH_CALLS = ['system', 'media', 'boot', 'reset', 'insert', 'eject', 'readings'] as const;
export type RedfishCall = (typeof REDFISH_CALLS)[number];

export interface RedfishFaults {
  /** Used up one by one, the first that fits; `on` absent: any call. */
  next: { fault: RedfishFault; on?: RedfishCall }[];
  /** How often each happens by chance, 0 to 1. */
  ratios: Partial<Record<RedfishFault, number>>;
}

export function drawRedfishFault(faults: RedfishFaults, random: Random, call: RedfishCall): RedfishFault | null {
  const index = faults.next.findIndex(({ on }) => on === undefined || on === call);
  if (index >= 0) return faults.next.splice(index, 1)[0]?.fault ?? null;
  for (const fault of REDFISH_FAULTS) if (random.chance(faults.ratios[fault] ?? 0)) return fault;
  return null;
}
