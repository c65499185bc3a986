// Operations that make no progress, for those who operate the platform.
import { OPERATION_STUCK_MINUTES } from '../../../../schema/limits.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { type OperationRow, hurryOperation, operationsByIds, stuckOperations } from '../../operations/entities/operation.ts';
import type { ProvisioningContext } from '../context.ts';

/** Trouble that lasts longer than this does not pass by itself. */
const STUCK_MS = OPERATION_STUCK_MINUTES * MINUTE;
const OPERATIONS_MAX = 200;

export const stuckNow = ({ em, clock }: ProvisioningContext): Promise<OperationRow[]> =>
  stuckOperations(em, after(clock.now(), -STUCK_MS), OPERATIONS_MAX);

/** Runs the step of a running operation now instead of at its usual time. Errors: hand_work_not_found. */
export async function retryOperation(ctx: ProvisioningContext, id: string): Promise<void> {
  const [operation] = await operationsByIds(ctx.em, [id]);
  if (operation?.status !== 'RUNNING') throw fail('hand_work_not_found');
  await inTransaction(ctx, async ({ em, clock, jobs }) => {
    await hurryOperation(em, id, clock.now());
    await jobs.enqueue(em, 'compute.operation-continue', { operationId: id }, { key: id });
  });
}
