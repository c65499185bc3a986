// The channel on which subscribers hear that a plan's figures have changed.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** Committed changes of figures are notified on it, as lines of "<account id> <plan id>". */
export const USAGE_CHANNEL = 'egress_residential_usage';

/** Notifies subscribers, when the transaction commits, that something other than a report has changed a plan's figures. */
export async function notifyFiguresChanged(em: EntityManager, plan: { id: string; accountId: string }): Promise<void> {
  await runStatement(em, 'select pg_notify($1, $2)', [USAGE_CHANNEL, `${plan.accountId} ${plan.id}`]);
}
