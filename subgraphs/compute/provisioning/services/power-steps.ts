// The steps that switch a machine off, or let its system start again.
import { SECOND, after } from '#platform/clock.ts';
import type { MachineRef } from '../../machines/providers/hypervisor.ts';
import { refOf } from '../../machines/services/vps-machine.ts';
import type { PowerStep } from '../../operations/domain/vps-operation.ts';
import type { Outcome } from './operation-driver.ts';
import { DONE, type StepInput, type StepRun, isUnderWay, proceed, wait } from './vps-steps.ts';

/** The machine is off. Unless it is only off for a change, it must not start again with its node. */
async function off({ operation, datacenter: { hypervisor } }: StepInput, ref: MachineRef): Promise<Outcome> {
  if (STAYS_OFF.includes(operation.command)) await hypervisor.setStartsByItself(ref, false);
  return DONE;
}
const STAYS_OFF: readonly string[] = ['STOP', 'FORCE_STOP', 'SUSPEND'];

const shutDown: StepRun = async (input) => {
  const { server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  if (!(await hypervisor.inspect(ref)).running) return off(input, ref);
  return wait(isUnderWay(input) ? operation.work : await hypervisor.shutdown(ref));
};

/** The same as a step of a longer operation. */
const turnOff: StepRun = async (input) => {
  const outcome = await shutDown(input);
  return outcome.kind === 'done' ? proceed(input) : outcome;
};

const cutOff: StepRun = async (input) => {
  const outcome = await powerOff(input);
  return outcome.kind === 'done' ? proceed(input, 'TURN_OFF') : outcome;
};

const powerOff: StepRun = async (input) => {
  const { server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  const { running, busy } = await hypervisor.inspect(ref);
  if (!running) return off(input, ref);
  // Its power cannot be cut while it is copied, so the copy is aborted.
  if (busy) await hypervisor.breakOffSaving(ref);
  return wait(isUnderWay(input) ? operation.work : await hypervisor.stop(ref));
};

/** It is done once the guest has started since this operation began, whichever request caused that. */
const restart: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  const { running, uptimeSeconds } = await hypervisor.inspect(ref);
  if (!running) return wait(isUnderWay(input) ? operation.work : await hypervisor.start(ref));
  // Uptime is in whole seconds, rounded down.
  if (after(operation.startedAt, (uptimeSeconds + 1) * SECOND) <= ctx.clock.now()) return DONE;
  return wait(isUnderWay(input) ? operation.work : await hypervisor.reboot(ref));
};

export const POWER_STEPS: Record<PowerStep, StepRun> = {
  SHUT_DOWN: shutDown,
  TURN_OFF: turnOff,
  CUT_OFF: cutOff,
  POWER_OFF: powerOff,
  RESTART: restart,
};
