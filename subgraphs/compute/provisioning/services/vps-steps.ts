// The steps of operations. Each looks first, asks for at most one thing, and can be repeated: whoever crashed or heard no answer runs it again.
import { SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { unseal } from '#platform/sealing.ts';
import { OPERATING_SYSTEMS } from '../../catalogue/domain/operating-system.ts';
import type { Step } from '../../operations/domain/operation.ts';
import { type BackupStep, type VpsCommand, type VpsStep, stepAfter } from '../../operations/domain/vps-operation.ts';
import { vpsHardware } from '../../catalogue/domain/vps-plan.ts';
import { takeAddresses } from '../../networking/entities/address.ts';
import { type ServerRow, drawMachineNumber } from '../../servers/entities/server.ts';
import type { Hypervisor, MachineRef, MachineSettings } from '../../machines/providers/hypervisor.ts';
import type { MachineChange, OperationInput, Outcome } from './operation-driver.ts';
import type { Datacenter } from '../../providers.ts';
import { machineName, refOf } from '../../machines/services/vps-machine.ts';
import { passwordPlace, userDataPlace } from '../../servers/domain/server-secrets.ts';
import { RESCUE_LOGIN } from '../domain/machine-task.ts';

export interface StepInput extends OperationInput {
  datacenter: Datacenter;
}

export type StepRun = (input: StepInput) => Promise<Outcome>;

export const next = (step: Step, change?: MachineChange): Outcome => ({ kind: 'next', step, ...(change && { change }) });
export const wait = (work: string | null): Outcome => ({ kind: 'wait', work });
export const DONE: Outcome = { kind: 'done' };

/** On to the next step of the operation's way. A machine that was off stays off when it is only changed. */
export function proceed({ server, operation }: Pick<StepInput, 'server' | 'operation'>, from = operation.step as VpsStep): Outcome {
  const command = operation.command as VpsCommand;
  const step = stepAfter(command, from);
  const staysOff = step === 'POWER_ON' && server.powerState === 'STOPPED' && (command === 'UPGRADE' || command === 'ADD_ADDRESSES');
  return step === undefined || staysOff ? DONE : next(step);
}

/** Clones that did not even begin: the node is in trouble, so another one is tried. */
const CLONE_TRIES_MAX = 3;

async function ownMachine(hypervisor: Hypervisor, server: ServerRow): Promise<MachineRef | 'absent' | 'foreign'> {
  const found = (await hypervisor.machines()).find(({ number }) => number === server.machineNumber);
  if (!found) return 'absent';
  return found.name === machineName(server) ? { node: found.node, number: found.number } : 'foreign';
}

export const isUnderWay = async (hypervisor: Hypervisor, work: string | null): Promise<boolean> =>
  work !== null && (await hypervisor.work(work)) === 'running';

function planOf({ planCode }: ServerRow) {
  const plan = vpsHardware(planCode);
  if (!plan) throw new Error(`no plan ${planCode}`);
  return plan;
}

function settingsOf({ ctx, server, datacenter }: StepInput): MachineSettings {
  const { cores, ramGb } = { cores: planOf(server).vcpu, ramGb: planOf(server).ramGb };
  const { addresses, gateway } = datacenter.terms;
  return {
    cores,
    ramGb,
    hostname: server.hostname,
    sshKeys: server.sshKeys,
    loginName: server.loginName ?? '',
    password: server.passwordSealed ? unseal(server.passwordSealed, ctx.providers.sealing, passwordPlace(server.id)) : '',
    addresses: server.ipv4.map((ip) => ({ ip, bits: addresses.bits, gateway })),
    userData: server.userDataSealed ? unseal(server.userDataSealed, ctx.providers.sealing, userDataPlace(server.subscriptionId)) : null,
  };
}

const reserve: StepRun = async ({ ctx, server, operation, datacenter }) => {
  const count = 1 + server.extraIpv4;
  const held = await inTransaction(ctx, ({ em, clock }) =>
    takeAddresses(em, { serverId: server.id, count, at: clock.now(), range: datacenter.terms.addresses }),
  );
  return held === count ? proceed({ server, operation }) : wait(null);
};

const place: StepRun = async ({ ctx, server, datacenter: { hypervisor } }) => {
  if (server.machineNumber !== null) return next('CLONE');
  const { vcpu: cores, ramGb } = planOf(server);
  const node = await hypervisor.place({ image: imageOf(server), cores, ramGb });
  if (node === undefined) return wait(null);
  const machineNumber = await drawMachineNumber(ctx.em);
  return (await hypervisor.isFree(machineNumber)) ? next('CLONE', { node, machineNumber }) : wait(null);
};

const imageOf = ({ os }: ServerRow): string => OPERATING_SYSTEMS[os ?? 'DEBIAN_12'].image;

const clone: StepRun = async ({ server, operation, datacenter: { hypervisor } }) => {
  const found = await ownMachine(hypervisor, server);
  if (found === 'foreign') return next('PLACE', { node: null, machineNumber: null });
  if (found === 'absent') {
    if (await isUnderWay(hypervisor, operation.work)) return wait(operation.work);
    if (operation.tries >= CLONE_TRIES_MAX) return next('CLEAR');
    return wait(await hypervisor.clone(refOf(server), imageOf(server), machineName(server)));
  }
  const machine = await hypervisor.inspect(found);
  if (!machine.busy) return next(machine.diskGb === null ? 'CLEAR' : 'CONFIGURE');
  // Held: by the clone, whose name we know or never heard, or by what is left of one.
  const failed = operation.work !== null && (await hypervisor.work(operation.work)) === 'failed';
  return failed ? next('CLEAR') : wait(operation.work);
};

const configure: StepRun = async (input) => {
  const { hypervisor } = input.datacenter;
  const settings = settingsOf(input);
  await hypervisor.configure(refOf(input.server), settings);
  return (await hypervisor.isConfigured(refOf(input.server), settings)) ? proceed(input) : wait(null);
};

const resize: StepRun = async ({ server, operation, datacenter: { hypervisor } }) => {
  const { diskGb } = await hypervisor.inspect(refOf(server));
  if (diskGb === null) return next('CLEAR');
  const { storageGb } = planOf(server);
  if (diskGb >= storageGb) return proceed({ server, operation });
  if (await isUnderWay(hypervisor, operation.work)) return wait(operation.work);
  return wait(await hypervisor.resize(refOf(server), storageGb));
};

const powerOn: StepRun = async ({ server, operation, datacenter: { hypervisor } }) => {
  const ref = refOf(server);
  if ((await hypervisor.inspect(ref)).running) return proceed({ server, operation });
  return wait((await isUnderWay(hypervisor, operation.work)) ? operation.work : await hypervisor.start(ref));
};

const reach: StepRun = async ({ ctx, server, datacenter: { hypervisor, terms } }) => {
  const port = terms.reachPort ?? OPERATING_SYSTEMS[server.os ?? 'DEBIAN_12'].reachPort;
  if (await ctx.providers.answers(server.ipv4[0] ?? '', port)) return DONE;
  return (await hypervisor.inspect(refOf(server))).running ? wait(null) : next('POWER_ON');
};

/** Stops and removes the machine. True when it is gone. */
async function removal({ server, operation, datacenter: { hypervisor } }: StepInput): Promise<true | { work: string | null }> {
  if (server.machineNumber === null) return true;
  const found = await ownMachine(hypervisor, server);
  if (found === 'absent' || found === 'foreign') {
    // A clone that has only begun may not be listed yet.
    return (await isUnderWay(hypervisor, operation.work)) ? { work: operation.work } : true;
  }
  if (await isUnderWay(hypervisor, operation.work)) return { work: operation.work };
  return { work: (await hypervisor.inspect(found)).running ? await hypervisor.stop(found) : await hypervisor.remove(found) };
}

const clear: StepRun = async (input) => {
  const gone = await removal(input);
  return gone === true ? { kind: 'next', step: 'PLACE', change: { node: null, machineNumber: null }, rebuilt: true } : wait(gone.work);
};

const remove: StepRun = async (input) => {
  const gone = await removal(input);
  return gone === true ? proceed(input) : wait(gone.work);
};

const shutDown: StepRun = async ({ server, operation, datacenter: { hypervisor } }) => {
  const ref = refOf(server);
  if (!(await hypervisor.inspect(ref)).running) return DONE;
  return wait((await isUnderWay(hypervisor, operation.work)) ? operation.work : await hypervisor.shutdown(ref));
};

/** The same on the way of something longer. */
const turnOff: StepRun = async (input) => {
  const outcome = await shutDown(input);
  return outcome.kind === 'done' ? proceed(input) : outcome;
};

const cutOff: StepRun = async (input) => {
  const outcome = await powerOff(input);
  return outcome.kind === 'done' ? proceed(input, 'TURN_OFF') : outcome;
};

const powerOff: StepRun = async ({ server, operation, datacenter: { hypervisor } }) => {
  const ref = refOf(server);
  if (!(await hypervisor.inspect(ref)).running) return DONE;
  return wait((await isUnderWay(hypervisor, operation.work)) ? operation.work : await hypervisor.stop(ref));
};

/** Done once the guest has begun anew since this operation began, whoever heard of it. */
const restart: StepRun = async ({ ctx, server, operation, datacenter: { hypervisor } }) => {
  const ref = refOf(server);
  const { running, uptimeSeconds } = await hypervisor.inspect(ref);
  if (!running) return wait((await isUnderWay(hypervisor, operation.work)) ? operation.work : await hypervisor.start(ref));
  // Whole seconds, rounded down.
  if (after(operation.startedAt, (uptimeSeconds + 1) * SECOND) <= ctx.clock.now()) return DONE;
  return wait((await isUnderWay(hypervisor, operation.work)) ? operation.work : await hypervisor.reboot(ref));
};

const setPassword: StepRun = async ({ ctx, server, operation, datacenter: { hypervisor } }) => {
  if (!operation.secretSealed || server.loginName === null) return { kind: 'fail', message: 'There is no password to set.' };
  const password = unseal(operation.secretSealed, ctx.providers.sealing, passwordPlace(server.id));
  await hypervisor.setPassword(refOf(server), server.loginName, password);
  return DONE;
};

/** What it starts from: its disk, or a rescue system with a password of its own. */
const setBoot: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const wanted = operation.command === 'RESCUE';
  const ref = refOf(server);
  if ((await datacenter.hypervisor.bootsRescue(ref)) === wanted) return proceed(input);
  if (wanted && !operation.secretSealed) return { kind: 'fail', message: 'There is no password for the rescue system.' };
  const password = operation.secretSealed ? unseal(operation.secretSealed, ctx.providers.sealing, passwordPlace(server.id)) : '';
  await datacenter.hypervisor.setBoot(ref, wanted ? { loginName: RESCUE_LOGIN, password } : null);
  return wait(null);
};

/** The steps that need no backup storage. */
export const MACHINE_STEPS: Record<Exclude<VpsStep, BackupStep>, StepRun> = {
  SET_BOOT: setBoot,
  TURN_OFF: turnOff,
  CUT_OFF: cutOff,
  RESERVE: reserve,
  PLACE: place,
  CLONE: clone,
  CONFIGURE: configure,
  RESIZE: resize,
  POWER_ON: powerOn,
  REACH: reach,
  CLEAR: clear,
  REMOVE: remove,
  SHUT_DOWN: shutDown,
  RESTART: restart,
  POWER_OFF: powerOff,
  SET_PASSWORD: setPassword,
};
