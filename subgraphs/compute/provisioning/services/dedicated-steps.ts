// The steps of dedicated servers' operations. Each first inspects, then triggers at most one action, and can be repeated after a crash or a lost answer.
import { SECOND } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { unseal } from '#platform/sealing.ts';
import type { ProvisioningContext } from '../context.ts';
import type { DedicatedStep } from '../../operations/domain/dedicated-operation.ts';
import { type MachineTask, imageOf } from '../domain/machine-task.ts';
import { OPERATING_SYSTEMS } from '../../catalogue/domain/operating-system.ts';
import { machineOfServer, takeMachine } from '../../machines/entities/bare-metal.ts';
import { manualTaskOf, openManualTask } from '../entities/manual-task.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import { freeStockOfOrder } from '../../machines/entities/stock-hold.ts';
import type { BareMetal, BareMetalState, ControllerRef } from '../../machines/providers/bare-metal.ts';
import type { OperationInput, Outcome } from './operation-driver.ts';
import { seedUrl } from './seed-address.ts';
import { passwordPlace } from '../../servers/domain/server-secrets.ts';
import { controllerOf } from '../../machines/services/controller.ts';

/** How often a step is run again while an installer works for a quarter of an hour, and while a person has to come. */
const INSTALL_LOOK_MS = 10 * SECOND;
const HAND_LOOK_MS = 60 * SECOND;

/** The task of the operation's medium. The password is the operation's, or else the server's. */
export function taskOf(ctx: ProvisioningContext, server: ServerRow, operation: OperationRow): MachineTask | undefined {
  const sealed = operation.secretSealed ?? server.passwordSealed;
  const password = sealed ? unseal(sealed, ctx.providers.sealing, passwordPlace(server.id)) : '';
  const { os, hostname, loginName } = server;
  switch (operation.command) {
    case 'PROVISION':
    case 'REINSTALL':
      return os === null || loginName === null ? undefined : { kind: 'install', os, hostname, loginName, password };
    case 'RESET_PASSWORD':
      return loginName === null ? undefined : { kind: 'password', loginName, password };
    case 'RESCUE':
      return { kind: 'rescue', password };
    case 'DECOMMISSION':
      return { kind: 'wipe' };
    default:
      return undefined;
  }
}

const next = (step: DedicatedStep): Outcome => ({ kind: 'next', step });
const wait = (lookMs?: number): Outcome => ({ kind: 'wait', work: null, ...(lookMs !== undefined && { lookMs }) });
const DONE: Outcome = { kind: 'done' };

/** Input of steps that use the machine's controller, with the state that it reports. */
interface AtMachine extends OperationInput {
  bareMetal: BareMetal;
  ref: ControllerRef;
  state: BareMetalState;
}

const atMachine =
  (run: (at: AtMachine) => Promise<Outcome>) =>
  async (input: OperationInput): Promise<Outcome> => {
    const { ctx, server, operation } = input;
    const machine = await machineOfServer(ctx.em, server.id);
    // No machine was ever taken, so none has to be wiped.
    if (!machine) return operation.command === 'DECOMMISSION' ? DONE : { kind: 'fail', message: 'The server has no machine.' };
    const ref = controllerOf(ctx, machine);
    if (!ctx.providers.metal || !ref) return next('HAND_OVER');
    const { bareMetal } = ctx.providers.metal;
    return run({ ...input, bareMetal, ref, state: await bareMetal.inspect(ref) });
  };

const assign = async ({ ctx, server }: OperationInput): Promise<Outcome> => {
  const machine = await inTransaction(ctx, async ({ em, clock }) => {
    const taken = await takeMachine(em, { serverId: server.id, planCode: server.planCode, at: clock.now() });
    if (taken) await freeStockOfOrder(em, server.orderId);
    return taken;
  });
  return machine ? next('CUT_POWER') : wait(INSTALL_LOOK_MS);
};

const handOver = async ({ ctx, operation }: OperationInput): Promise<Outcome> => {
  const task = await manualTaskOf(ctx.em, operation.id);
  if (!task) await inTransaction(ctx, ({ em }) => openManualTask(em, operation.id));
  if (task?.doneAt) return DONE;
  return task?.refused ? { kind: 'fail', message: task.refused } : wait(HAND_LOOK_MS);
};

const cutPower = atMachine(async ({ bareMetal, ref, state, operation }) => {
  if (state.power === 'off') return next(operation.command === 'RESCUE_END' ? 'EJECT_MEDIA' : 'INSERT_MEDIA');
  if (state.power === 'on') await bareMetal.power(ref, 'cut');
  return wait();
});

const insertMedia = atMachine(async ({ ctx, server, operation, bareMetal, ref, state }) => {
  const task = taskOf(ctx, server, operation);
  if (!task || !ctx.providers.metal) return { kind: 'fail', message: 'There is nothing to boot for this.' };
  const wanted = { boot: `${ctx.providers.metal.imagesUrl}/${imageOf(task)}.iso`, seed: seedUrl(ctx, operation.id) };
  for (const slot of ['boot', 'seed'] as const) {
    const inside = state.media[slot];
    if (inside === wanted[slot]) continue;
    await (inside === null ? bareMetal.insert(ref, slot, wanted[slot]) : bareMetal.eject(ref, slot));
    return wait();
  }
  return next('BOOT_MEDIA');
});

const bootMedia = atMachine(async ({ operation, bareMetal, ref, state }) => {
  if (state.power === 'on') return next(operation.command === 'RESCUE' ? 'REACH' : 'RUN_MEDIA');
  if (state.power === 'off') await (state.bootsMedium ? bareMetal.power(ref, 'on') : bareMetal.bootMediumOnce(ref));
  return wait();
});

const runMedia = atMachine(async ({ state }) => (state.power === 'off' ? next('EJECT_MEDIA') : wait(INSTALL_LOOK_MS)));

const ejectMedia = atMachine(async ({ operation, bareMetal, ref, state }) => {
  const slot = (['boot', 'seed'] as const).find((one) => state.media[one] !== null);
  if (slot === undefined) return operation.command === 'DECOMMISSION' ? DONE : next('POWER_ON');
  await bareMetal.eject(ref, slot);
  return wait();
});

const powerOn = atMachine(async ({ operation, bareMetal, ref, state }) => {
  if (state.power === 'on') return operation.command === 'PROVISION' || operation.command === 'REINSTALL' ? next('REACH') : DONE;
  if (state.power === 'off') await bareMetal.power(ref, 'on');
  return wait();
});

const reach = atMachine(async ({ ctx, server, operation, state }) => {
  const usual = operation.command === 'RESCUE' ? 22 : OPERATING_SYSTEMS[server.os ?? 'DEBIAN_12'].reachPort;
  if (await ctx.providers.answers(server.ipv4[0] ?? '', ctx.providers.metal?.reachPort ?? usual)) return DONE;
  return state.power === 'off' && operation.command !== 'RESCUE' ? next('POWER_ON') : wait();
});

const shutDown = atMachine(async ({ bareMetal, ref, state }) => {
  if (state.power === 'off') return DONE;
  if (state.power === 'on') await bareMetal.power(ref, 'shut_down');
  return wait(INSTALL_LOOK_MS);
});

const powerOff = atMachine(async ({ bareMetal, ref, state }) => {
  if (state.power === 'off') return DONE;
  if (state.power === 'on') await bareMetal.power(ref, 'cut');
  return wait();
});

/** The controller's time of the last reset is stored first; once it differs, the restart has happened. */
const restart = atMachine(async ({ operation, bareMetal, ref, state }) => {
  const before = String(state.lastResetAt);
  if (operation.work === null) return { kind: 'wait', work: before, lookMs: 0 };
  if (operation.work !== before) return state.power === 'on' ? DONE : { kind: 'wait', work: operation.work };
  if (state.power !== 'changing') await bareMetal.power(ref, state.power === 'on' ? 'restart' : 'on');
  return state.lastResetAt === null ? DONE : { kind: 'wait', work: operation.work, lookMs: INSTALL_LOOK_MS };
});

export const DEDICATED_STEP_RUNS: Record<DedicatedStep, (input: OperationInput) => Promise<Outcome>> = {
  ASSIGN: assign,
  HAND_OVER: handOver,
  CUT_POWER: cutPower,
  INSERT_MEDIA: insertMedia,
  BOOT_MEDIA: bootMedia,
  RUN_MEDIA: runMedia,
  EJECT_MEDIA: ejectMedia,
  POWER_ON: powerOn,
  REACH: reach,
  SHUT_DOWN: shutDown,
  RESTART: restart,
  POWER_OFF: powerOff,
};
