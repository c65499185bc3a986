import type { ComponentState } from '#platform/component-state.ts';
import { ageSeconds } from '#platform/figures.ts';
import type { CatalogueContext } from '../../catalogue/context.ts';
import { runningOperations } from '../entities/operation-figures.ts';

/** The same time as that of the alert: trouble that lasts for half an hour does not pass by itself. */
const TROUBLED_SECONDS = 1_800;

/** Servers run without this platform, so only operations on them can fail here. */
export async function serversState({ em, clock }: Pick<CatalogueContext, 'em' | 'clock'>): Promise<ComponentState> {
  const operations = await runningOperations(em);
  const stuck = operations.some(({ troubled, oldest }) => troubled > 0 && ageSeconds(oldest, clock.now()) > TROUBLED_SECONDS);
  return stuck ? 'DEGRADED' : 'OPERATIONAL';
}
