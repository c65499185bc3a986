// The second medium of a machine, with its task. It contains a password, so it can be read only while its operation runs.
import type { ProvisioningContext } from '../context.ts';
import { seedFiles } from '../domain/machine-task.ts';
import { seedImage } from '../domain/seed-image.ts';
import { machineOfServer } from '../../machines/entities/bare-metal.ts';
import { operationsByIds } from '../../operations/entities/operation.ts';
import { serversByIds } from '../../servers/entities/server.ts';
import { taskOf } from './dedicated-steps.ts';
import { operationOfSeed } from './seed-address.ts';

/** The label that installers look for. */
const LABEL = 'CIDATA';

/** The image for the path that follows SEED_PATH; undefined when there is none, or its operation has ended. */
export async function openSeed(ctx: ProvisioningContext, path: string): Promise<Buffer | undefined> {
  const operationId = operationOfSeed(ctx, path);
  const [operation] = operationId === undefined ? [] : await operationsByIds(ctx.em, [operationId]);
  if (operation?.status !== 'RUNNING') return undefined;
  const [server] = await serversByIds(ctx.em, [operation.serverId]);
  const machine = await machineOfServer(ctx.em, operation.serverId);
  const task = server && taskOf(ctx, server, operation);
  return task && machine ? seedImage(LABEL, seedFiles(task, machine)) : undefined;
}
