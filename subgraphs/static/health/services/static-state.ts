import { type ComponentState, stateOfShare } from '#platform/component-state.ts';
import type { HealthContext } from '../context.ts';
import { countsByProduct } from '../../inventory/entities/inventory.ts';
import { countOutages } from '../entities/outage.ts';

/** Spec is silent: single addresses fail every day and are exchanged; when one in twenty fails, the network has a fault. */
const SHARES = { degraded: 0.05, down: 0.5 };

/** The state, by the share of sold addresses that fail their checks. */
export async function staticState({ em, clock }: Pick<HealthContext, 'em' | 'clock'>): Promise<ComponentState> {
  const sold = (await countsByProduct(em, clock.now())).reduce((sum, counts) => sum + counts.sold, 0);
  return stateOfShare(await countOutages(em), sold, SHARES);
}
