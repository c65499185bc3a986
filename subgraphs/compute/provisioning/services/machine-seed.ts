// The second medium of a machine, cloud-init's seed: what it is to do. It carries a password, so it is there only while its operation runs.
import type { ProvisioningContext } from '../context.ts';
import { seedFiles } from '../domain/machine-task.ts';
import { seedImage } from '../domain/seed-image.ts';
import { machineOfServer } from '../../machines/entities/bare-metal.ts';
import { operationsByIds } from '../../operations/entities/operation.ts';
import { serversByIds } from '../../servers/entities/server.ts';
import { taskOf } from './dedicated-steps.ts';
import { operationOfSeed } from './seed-address.ts';

/** What installers look for. */
const LABEL = 'CIDATA';

/** The image for the path that follows SEED_PATH; undefined: there is none, or not any more. */
export async function openSeed(ctx: ProvisioningContext, path: string): Promise<Buffer | undefined> {
  const operationId = operationOfSeed(ctx, path);
  const [operation] = operationId === undefined ? [] : await operationsByIds(ctx.em, [operationId]);
  if (operation?.status !== 'RUNNING') return undefined;
  const [server] = await serversByIds(ctx.em, [operation.serverId]);
  const machine = await machineOfServer(ctx.em, operation.serverId);
  const task = server && taskOf(ctx, server, operation);
  return task && machine ? seedImage(LABEL, seedFiles(task, machine)) : undefined;
}
