// Faults of the hypervisor on demand: for the next calls of an endpoint, or for any call by chance.
import type { Random } from '../random.ts';
import type { EndpointName } from './endpoints.ts';

/**
 * - `hang`: no effect and no answer.
 * - `half`: half of the effect. A clone stays locked and without a disk, other tasks fail, a configuration is set in part and answered with 500.
 * - `lost_task`: the effect happens, but the task is forgotten when it ends.
 * - `wrong_state`: the answer and the task report success, but nothing has happened.
 * - `no_answer`: the effect happens, but no answer comes.
 * - `node_down`: the node and everything on it stop answering until `up`.
 * - `error`: no effect, the answer is 500.
 */
export const HYPERVISOR_FAULTS = ['hang', 'half', 'lost_task', 'wrong_state', 'no_answer', 'node_down', 'error'] as const;
export type HypervisorFault = (typeof HYPERVISOR_FAULTS)[number];

export interface HypervisorFaults {
  /** Used up one by one; a call takes the first that fits. Without `on` it fits any endpoint. */
  next: { fault: HypervisorFault; on?: EndpointName }[];
  /** The share of calls that each fault hits by chance, 0 to 1. */
  ratios: Partial<Record<HypervisorFault, number>>;
}

export function drawHypervisorFault(faults: HypervisorFaults, random: Random, endpoint: EndpointName): HypervisorFault | null {
  const index = faults.next.findIndex(({ on }) => on === undefined || on === endpoint);
  if (index >= 0) return faults.next.splice(index, 1)[0]?.fault ?? null;
  for (const fault of HYPERVISOR_FAULTS) if (random.chance(faults.ratios[fault] ?? 0)) return fault;
  return null;
}
