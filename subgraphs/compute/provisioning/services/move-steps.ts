// The step that moves a machine to another node.
import { movesFrom } from '../../operations/entities/operation.ts';
import type { MoveStep } from '../../operations/domain/vps-operation.ts';
import { followMachine } from './follow-machine.ts';
import { DONE, type StepRun, isUnderWay, ownMachine, wait } from './vps-steps.ts';

/** A host copies this many machines to others at a time: each takes its disks and its network. */
const MOVES_MAX = 2;

/** Done once the machine is listed on the node that it moves to, whatever the task has reported. */
const migrate: StepRun = async (input) => {
  const { ctx, server, operation, datacenter, work } = input;
  const { hypervisor } = datacenter;
  const found = await ownMachine(hypervisor, server);
  if (found === 'absent' || found === 'foreign' || operation.target === null)
    return { kind: 'fail', message: 'The server has no machine.' };
  if (isUnderWay(input)) return wait(operation.work);
  if (found.node === operation.target) {
    await followMachine(ctx, server);
    return DONE;
  }
  if (work?.state === 'failed') return { kind: 'fail', message: `The server could not be moved: ${work.reason ?? 'no reason given'}` };
  if ((await movesFrom(ctx.em, found.node)) >= MOVES_MAX) return wait(null);
  return wait(await hypervisor.migrate(found, operation.target));
};

export const MOVE_STEPS: Record<MoveStep, StepRun> = { MIGRATE: migrate };
