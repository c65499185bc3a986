// The channel on which whoever shows a plan's figures hears that they have changed.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** Committed changes of figures are notified here, as lines of "<account id> <plan id>". */
export const USAGE_CHANNEL = 'egress_residential_usage';

/** Notifies subscribers, at commit, that the figures of a plan have changed by something else than a report. */
export async function notifyFiguresChanged(em: EntityManager, plan: { id: string; accountId: string }): Promise<void> {
  await runStatement(em, 'select pg_notify($1, $2)', [USAGE_CHANNEL, `${plan.accountId} ${plan.id}`]);
}
