// Trouble of the hypervisor on demand: the next calls of an endpoint, or any by chance.
import type { Random } from '../random.ts';
import type { EndpointName } from './endpoints.ts';

/**
 * - `hang`: nothing happens, and no answer comes.
 * - `half`: half of the effect. A clone stays locked and without a disk, other tasks fail, a configuration is set in part and answered with 500.
 * - `lost_task`: it happens, but the task is forgotten when it ends.
 * - `wrong_state`: the answer and the task say that it has happened; it has not.
 * - `no_answer`: it happens, and no answer comes.
 * - `node_down`: the node stops answering, with all that runs on it, until `up`.
 * - `error`: nothing happens, the answer is 500.
 */
export const HYPERVISOR_FAULTS = ['hang', 'half', 'lost_task', 'wrong_state', 'no_answer', 'node_down', 'error'] as const;
export type HypervisorFault = (typeof HYPERVISOR_FAULTS)[number];

export interface HypervisorFaults {
  /** Used up one by one, the first that fits; `on` absent: any endpoint. */
  next: { fault: HypervisorFault; on?: EndpointName }[];
  /** How often each happens by chance, 0 to 1. */
  ratios: Partial<Record<HypervisorFault, number>>;
}

export function drawHypervisorFault(faults: HypervisorFaults, random: Random, endpoint: EndpointName): HypervisorFault | null {
  const index = faults.next.findIndex(({ on }) => on === undefined || on === endpoint);
  if (index >= 0) return faults.next.splice(index, 1)[0]?.fault ?? null;
  for (const fault of HYPERVISOR_FAULTS) if (random.chance(faults.ratios[fault] ?? 0)) return fault;
  return null;
}
