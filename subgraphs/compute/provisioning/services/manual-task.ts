// The delivery desk: tasks that wait for a person at the datacenter, and their results. Staff only; the graph checks that.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { unseal } from '#platform/sealing.ts';
import type { ProvisioningContext } from '../context.ts';
import { type ManualTaskRow, claimManualTask, endManualTask, manualTaskOf, waitingManualTasks } from '../entities/manual-task.ts';
import { hurryOperation, operationsByIds } from '../../operations/entities/operation.ts';
import { serversByIds, updateServer } from '../../servers/entities/server.ts';
import { passwordPlace } from '../../servers/domain/server-secrets.ts';

const staffOf = ({ viewer }: ProvisioningContext): string => {
  if (viewer.kind !== 'session' || !viewer.staff) throw fail('forbidden');
  return viewer.accountId;
};

export const waitingTasks = ({ em }: ProvisioningContext): Promise<ManualTaskRow[]> => waitingManualTasks(em);

/** Claims a task, so that nobody else does it too. Errors: hand_work_not_found, action_not_allowed when somebody else has. */
export async function claimTask(ctx: ProvisioningContext, operationId: string): Promise<ManualTaskRow> {
  const by = staffOf(ctx);
  return inTransaction(ctx, async ({ em, clock }) => {
    const claimed = await claimManualTask(em, operationId, { by, at: clock.now() });
    const task = await manualTaskOf(em, operationId);
    if (!task) throw fail('hand_work_not_found');
    if (!claimed) throw fail('action_not_allowed', { reason: because('hand_work_taken') });
    return task;
  });
}

/** The password to set on the machine, for the member of staff who has claimed the task. Errors: hand_work_not_found, action_not_allowed. */
export async function passwordForTask(ctx: ProvisioningContext, operationId: string): Promise<string> {
  await mine(ctx, operationId);
  const [operation] = await operationsByIds(ctx.em, [operationId]);
  const [server] = operation ? await serversByIds(ctx.em, [operation.serverId]) : [];
  const sealed = operation?.secretSealed ?? server?.passwordSealed;
  if (!server || !sealed || operation?.command === 'DECOMMISSION')
    throw fail('action_not_allowed', { reason: because('hand_work_without_password') });
  return unseal(sealed, ctx.providers.sealing, passwordPlace(server.id));
}

/** Reports a task as done; its operation continues. `loginName` if it is not the usual one. Errors: hand_work_not_found, action_not_allowed. */
export async function finishTask(ctx: ProvisioningContext, operationId: string, loginName?: string): Promise<void> {
  const { serverId } = await mine(ctx, operationId);
  if (loginName !== undefined && !/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/.test(loginName))
    throw fail('parameter_invalid', {
      field: 'loginName',
      reason: because('login_name_unfit'),
    });
  await inTransaction(ctx, async ({ em, clock, jobs }) => {
    await endManualTask(em, operationId, { at: clock.now() });
    if (loginName !== undefined) await updateServer(em, serverId, { loginName });
    await hurryOperation(em, operationId, clock.now());
    await jobs.enqueue(em, 'compute.operation-continue', { operationId }, { key: operationId });
  });
}

/** Reports that a task cannot be done; a delivery is then paid back. Wiping disks cannot be refused. Errors: hand_work_not_found, action_not_allowed. */
export async function refuseTask(ctx: ProvisioningContext, operationId: string, reason: string): Promise<void> {
  await mine(ctx, operationId);
  const [operation] = await operationsByIds(ctx.em, [operationId]);
  if (operation?.command === 'DECOMMISSION') throw fail('action_not_allowed', { reason: because('disks_unwiped') });
  if (reason.trim().length < 3 || reason.length > 300)
    throw fail('parameter_invalid', { field: 'reason', reason: because('hand_work_reason_length') });
  await inTransaction(ctx, async ({ em, clock, jobs }) => {
    await endManualTask(em, operationId, { refused: reason.trim() });
    await hurryOperation(em, operationId, clock.now());
    await jobs.enqueue(em, 'compute.operation-continue', { operationId }, { key: operationId });
  });
}

async function mine(ctx: ProvisioningContext, operationId: string): Promise<ManualTaskRow> {
  const task = await manualTaskOf(ctx.em, operationId);
  if (!task || task.doneAt || task.refused) throw fail('hand_work_not_found');
  if (task.claimedBy !== staffOf(ctx)) throw fail('action_not_allowed', { reason: because('hand_work_unclaimed') });
  return task;
}
