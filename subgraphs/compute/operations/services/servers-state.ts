import type { ComponentState } from '#platform/component-state.ts';
import { ageSeconds } from '#platform/figures.ts';
import type { CatalogueContext } from '../../catalogue/context.ts';
import { runningOperations } from '../entities/operation-figures.ts';

/** As the alert has it: what meets trouble for half an hour does not mend itself. */
const TROUBLED_SECONDS = 1_800;

/** Servers themselves run without us: what can fail here is what is done to them. */
export async function serversState({ em, clock }: Pick<CatalogueContext, 'em' | 'clock'>): Promise<ComponentState> {
  const operations = await runningOperations(em);
  const stuck = operations.some(({ troubled, oldest }) => troubled > 0 && ageSeconds(oldest, clock.now()) > TROUBLED_SECONDS);
  return stuck ? 'DEGRADED' : 'OPERATIONAL';
}
