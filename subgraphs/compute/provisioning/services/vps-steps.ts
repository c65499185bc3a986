// The steps of VPS operations. Each first inspects, then triggers at most one action, and can be repeated after a crash or a lost answer.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { unseal } from '#platform/sealing.ts';
import { OPERATING_SYSTEMS } from '../../catalogue/domain/operating-system.ts';
import type { Step } from '../../operations/domain/operation.ts';
import {
  type BackupStep,
  type MoveStep,
  type PowerStep,
  type VpsCommand,
  type VpsStep,
  leavesOff,
  stepAfter,
} from '../../operations/domain/vps-operation.ts';
import { vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { takeAddresses } from '../../networking/entities/address.ts';
import { endPlacement, failPlacement, hasEverStarted, startPlacement } from '../../machines/entities/placement.ts';
import { openClusters } from '../../machines/services/locations.ts';
import { placeMachine } from '../../machines/services/placement.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import type { Hypervisor, MachineRef, MachineSettings, Work } from '../../machines/providers/hypervisor.ts';
import type { MachineChange, OperationInput, Outcome } from './operation-driver.ts';
import type { Cluster } from '../../machines/providers/cluster-book.ts';
import { machineName, refOf } from '../../machines/services/vps-machine.ts';
import { passwordPlace, userDataPlace } from '../../servers/domain/server-secrets.ts';
import { RESCUE_LOGIN } from '../domain/machine-task.ts';

export interface StepInput extends OperationInput {
  /** The cluster that the server's machine is in; before it has one, the first. */
  datacenter: Pick<Cluster, 'hypervisor' | 'terms'>;
  /** The state of the task that the step waits for; null: it waits for none. */
  work: Work | null;
}

export type StepRun = (input: StepInput) => Promise<Outcome>;

export const next = (step: Step, change?: MachineChange): Outcome => ({ kind: 'next', step, ...(change && { change }) });
export const wait = (work: string | null): Outcome => ({ kind: 'wait', work });
export const DONE: Outcome = { kind: 'done' };

/** Goes to the next step of the command. A machine that was off stays off when it is only changed. */
export function proceed({ server, operation }: Pick<StepInput, 'server' | 'operation'>, from = operation.step as VpsStep): Outcome {
  const command = operation.command as VpsCommand;
  const step = stepAfter(command, from);
  const staysOff = step === 'POWER_ON' && server.powerState === 'STOPPED' && leavesOff(command);
  return step === undefined || staysOff ? DONE : next(step);
}

/** How often a clone that does not even begin is tried: then the node is in trouble, and another one is chosen. */
const CLONE_TRIES_MAX = 3;

export async function ownMachine(hypervisor: Hypervisor, server: ServerRow): Promise<MachineRef | 'absent' | 'foreign'> {
  const found = (await hypervisor.machines()).find(({ number }) => number === server.machineNumber);
  if (!found) return 'absent';
  return found.name === machineName(server) ? { node: found.node, number: found.number } : 'foreign';
}

export const isUnderWay = ({ work }: Pick<StepInput, 'work'>): boolean => work?.state === 'running';

function sizeOf({ planCode }: ServerRow) {
  const size = vpsSize(planCode);
  if (!size) throw new Error(`no plan ${planCode}`);
  return size;
}

function settingsOf({ ctx, server, operation, datacenter }: StepInput): MachineSettings {
  const isWindows = server.os === 'WINDOWS_SERVER_2022';
  // A reinstalled system gets its new password with its other settings.
  const sealed = operation.command === 'REINSTALL' ? operation.secretSealed : server.passwordSealed;
  const { cores, ramGb } = sizeOf(server);
  const { addresses, gateway } = datacenter.terms;
  return {
    instance: machineName(server),
    takesMetaData: !isWindows,
    cores,
    ramGb,
    hostname: server.hostname,
    sshKeys: isWindows ? [] : server.sshKeys,
    loginName: server.loginName ?? '',
    password: sealed ? unseal(sealed, ctx.providers.sealing, passwordPlace(server.id)) : '',
    addresses: server.ipv4.map((ip) => ({ ip, bits: addresses.bits, gateway })),
    userData: server.userDataSealed ? unseal(server.userDataSealed, ctx.providers.sealing, userDataPlace(server.subscriptionId)) : null,
  };
}

const reserve: StepRun = async ({ ctx, server, operation, datacenter }) => {
  const count = 1 + server.extraIpv4;
  // A machine that is placed where these addresses do not lead gets others with its place.
  const clusters = server.node === null ? await openClusters(ctx, server.location) : [datacenter];
  for (const { addresses: range } of clusters.map(({ terms }) => terms)) {
    const held = await inTransaction(ctx, ({ em, clock }) => takeAddresses(em, { serverId: server.id, count, at: clock.now(), range }));
    if (held === count) return proceed({ server, operation });
  }
  return wait(null);
};

const place: StepRun = async ({ ctx, server, operation }) => {
  if (server.machineNumber !== null) return next('CLONE');
  const placed = await placeMachine(ctx, server, imageOf(server), sizeOf(server), operation.startedAt);
  return placed ? next('CLONE', { node: placed.node, machineNumber: placed.number }) : wait(null);
};

const imageOf = ({ os }: ServerRow): string => OPERATING_SYSTEMS[os ?? 'DEBIAN_12'].image;

const NOWHERE = { node: null, machineNumber: null };

/** The machine could not be made on its node: a build goes to another node and stores the reason for the operator. A delivered machine stays on its node. */
async function putElsewhere(input: StepInput, trouble: string, { isGone = false, rebuilt = false } = {}): Promise<Outcome> {
  const { ctx, server, operation } = input;
  if (operation.command !== 'BUILD') return isGone && operation.step === 'CLEAR' ? next('CLONE') : { kind: 'wait', work: null, trouble };
  const { machineNumber: number } = server;
  if (number !== null)
    await inTransaction(ctx, async ({ em, clock }) => {
      await failPlacement(em, number, trouble, clock.now());
      if (isGone) await endPlacement(em, number, clock.now());
    });
  return { kind: 'next', step: 'PLACE', change: NOWHERE, trouble, ...(rebuilt && { rebuilt: true as const }) };
}

/** After this time without an answer of a cluster, builds there that have not begun to run go on elsewhere. */
const LEFT_AFTER_MS = MINUTE;

/**
 * Where a build goes on whose cluster does not answer: to another cluster of its location, unless its guest may have started, which may be seen at its addresses. What is left
 * of its machine is removed when the cluster answers again. Undefined: it waits.
 */
export async function leaveSilentCluster(
  { ctx, server, operation }: OperationInput,
  { name, silentSince }: Cluster,
  trouble: string,
): Promise<Outcome | undefined> {
  const { machineNumber: number } = server;
  if (operation.command !== 'BUILD' || number === null || !silentSince || after(silentSince, LEFT_AFTER_MS) > ctx.clock.now())
    return undefined;
  const others = (await openClusters(ctx, server.location)).filter((cluster) => cluster.name !== name && cluster.silentSince === null);
  if (others.length === 0 || (await hasEverStarted(ctx.em, server.id))) return undefined;
  await inTransaction(ctx, ({ em, clock }) => failPlacement(em, number, trouble, clock.now()));
  return { kind: 'next', step: 'PLACE', change: NOWHERE, trouble };
}

const clone: StepRun = async (input) => {
  const { server, operation, work, datacenter } = input;
  const { hypervisor } = datacenter;
  const found = await ownMachine(hypervisor, server);
  if (found === 'foreign') return putElsewhere(input, `the number ${server.machineNumber} is another machine's`, { isGone: true });
  if (found === 'absent') {
    if (isUnderWay(input)) return wait(operation.work);
    // A failed clone has removed what it made, and tells the reason.
    if (work?.state === 'failed' && operation.command === 'BUILD')
      return putElsewhere(input, `${server.node}: ${work.reason ?? 'the copying failed'}`, { isGone: true });
    if (operation.tries >= CLONE_TRIES_MAX && operation.command === 'BUILD')
      return putElsewhere(input, `${server.node}: the copying does not begin`);
    return wait(await hypervisor.clone(refOf(server), imageOf(server), machineName(server)));
  }
  const machine = await hypervisor.inspect(found);
  if (!machine.busy) return next(machine.diskGb === null ? 'CLEAR' : 'CONFIGURE');
  // It is locked by a running clone, whose task we may not know, or by what is left of one.
  return work?.state === 'failed' ? next('CLEAR') : wait(operation.work);
};

const configure: StepRun = async (input) => {
  const { hypervisor } = input.datacenter;
  const settings = settingsOf(input);
  const ref = refOf(input.server);
  const { ipv4 } = input.server;
  await hypervisor.configure(ref, settings);
  if (!(await hypervisor.isConfigured(ref, settings))) return wait(null);
  await hypervisor.guard(ref, ipv4);
  return (await hypervisor.isGuarded(ref, ipv4)) ? proceed(input) : wait(null);
};

const resize: StepRun = async (input) => {
  const { server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const { diskGb } = await hypervisor.inspect(refOf(server));
  if (diskGb === null) return next('CLEAR');
  const { storageGb } = sizeOf(server);
  if (diskGb >= storageGb) return proceed({ server, operation });
  if (isUnderWay(input)) return wait(operation.work);
  return wait(await hypervisor.resize(refOf(server), storageGb));
};

const powerOn: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  const ref = refOf(server);
  if ((await hypervisor.inspect(ref)).running) return proceed({ server, operation });
  // While it was off or suspended it was set not to start with its node.
  await hypervisor.setStartsByItself(ref, true);
  await inTransaction(ctx, ({ em, clock }) => startPlacement(em, ref.number, clock.now()));
  return wait(isUnderWay(input) ? operation.work : await hypervisor.start(ref));
};

const reach: StepRun = async ({ ctx, server, datacenter: { hypervisor, terms } }) => {
  const port = terms.reachPort ?? OPERATING_SYSTEMS[server.os ?? 'DEBIAN_12'].reachPort;
  if (await ctx.providers.answers(server.ipv4[0] ?? '', port)) {
    await hypervisor.tidy(refOf(server));
    return DONE;
  }
  return (await hypervisor.inspect(refOf(server))).running ? wait(null) : next('POWER_ON');
};

type Removal = 'gone' | { work: string | null; locked?: true };

/** Stops and removes the machine, one action per call. */
async function removal(input: StepInput): Promise<Removal> {
  const { ctx, server, operation, datacenter } = input;
  const { hypervisor } = datacenter;
  if (server.machineNumber === null) return 'gone';
  const found = await ownMachine(hypervisor, server);
  // A clone that has just begun may not be listed yet.
  if (isUnderWay(input)) return { work: operation.work };
  if (found === 'absent' || found === 'foreign') {
    // A reinstalled machine comes back under its number, so its placement stays.
    if (operation.command !== 'REINSTALL') await endPlacement(ctx.em, server.machineNumber, ctx.clock.now());
    return 'gone';
  }
  const { running, busy } = await hypervisor.inspect(found);
  if (busy) await hypervisor.breakOffSaving(found);
  if (busy && (await hypervisor.inspect(found)).busy) return { work: null, locked: true };
  return { work: running ? await hypervisor.stop(found) : await hypervisor.remove(found) };
}

/** Only the operator may remove a lock. A machine that a broken-off task has left locked stays, is checked each minute, and another machine is made meanwhile. */
const clear: StepRun = async (input) => {
  const { operation, server } = input;
  const removed = await removal(input);
  if (removed === 'gone')
    return putElsewhere(input, operation.trouble ?? `${server.node}: it did not come out well`, { isGone: true, rebuilt: true });
  if (removed.locked) return putElsewhere(input, `${server.node}: what is left of ${server.machineNumber} is locked`, { rebuilt: true });
  return wait(removed.work);
};

const remove: StepRun = async (input) => {
  const { ctx, server } = input;
  const removed = await removal(input);
  if (removed === 'gone') return proceed(input);
  // A machine that never ran has no data of a customer, and locked it cannot run: what is left of it need not delay the end.
  if (removed.locked && server.machineNumber !== null && !(await hasEverStarted(ctx.em, server.id))) {
    await failPlacement(ctx.em, server.machineNumber, `${server.node}: what is left of ${server.machineNumber} is locked`, ctx.clock.now());
    return proceed(input);
  }
  const trouble = `machine ${server.machineNumber} is locked: its operator has to look at it`;
  return { kind: 'wait', work: removed.work, ...(removed.locked && { trouble }) };
};

const setPassword: StepRun = async ({ ctx, server, operation, datacenter: { hypervisor } }) => {
  if (!operation.secretSealed || server.loginName === null) return { kind: 'fail', message: 'There is no password to set.' };
  const password = unseal(operation.secretSealed, ctx.providers.sealing, passwordPlace(server.id));
  await hypervisor.setPassword(refOf(server), server.loginName, password);
  return DONE;
};

/** Sets what it boots: its disk, or the rescue system with a password of its own. */
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

/** The steps that do not use the backup storage. */
export const MACHINE_STEPS: Record<Exclude<VpsStep, BackupStep | MoveStep | PowerStep>, StepRun> = {
  SET_BOOT: setBoot,
  RESERVE: reserve,
  PLACE: place,
  CLONE: clone,
  CONFIGURE: configure,
  RESIZE: resize,
  POWER_ON: powerOn,
  REACH: reach,
  CLEAR: clear,
  REMOVE: remove,
  SET_PASSWORD: setPassword,
};
