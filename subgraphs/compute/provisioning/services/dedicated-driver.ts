// What the results of operations mean for a dedicated server: its lifecycle, its machine, its password.
import { after } from '#platform/clock.ts';
import { type DedicatedStep, MEDIA_TRIES_MAX } from '../../operations/domain/dedicated-operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import { releaseAddresses } from '../../networking/entities/address.ts';
import { releaseMachine, machineOfServer } from '../../machines/entities/bare-metal.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { freeStockOfOrder } from '../../machines/entities/stock-hold.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { DEDICATED_STEP_RUNS } from './dedicated-steps.ts';
import type { OperationDriver } from './operation-driver.ts';
import { controllerOf } from '../../machines/services/controller.ts';

/** The power state after each command has succeeded. */
const RESULTS: Partial<Record<OperationRow['command'], PowerState>> = {
  PROVISION: 'RUNNING',
  REINSTALL: 'RUNNING',
  START: 'RUNNING',
  REBOOT: 'RUNNING',
  RESET_PASSWORD: 'RUNNING',
  RESCUE: 'RUNNING',
  RESCUE_END: 'RUNNING',
  STOP: 'STOPPED',
  FORCE_STOP: 'STOPPED',
  SUSPEND: 'STOPPED',
  DECOMMISSION: 'UNKNOWN',
};

/** Steps of a medium: when one does not finish, the medium is booted again from the beginning. */
const OF_MEDIUM: readonly string[] = ['CUT_POWER', 'INSERT_MEDIA', 'BOOT_MEDIA', 'RUN_MEDIA', 'EJECT_MEDIA', 'REACH', 'POWER_ON'];
const WITH_MEDIUM: readonly string[] = ['PROVISION', 'REINSTALL', 'RESET_PASSWORD', 'RESCUE', 'RESCUE_END', 'DECOMMISSION'];

export const dedicatedDriver: OperationDriver = {
  look: (input) => DEDICATED_STEP_RUNS[input.operation.step as DedicatedStep](input),
  late({ command, step, rebuilds }) {
    if (command === 'SUSPEND' && step === 'SHUT_DOWN') return { kind: 'next', step: 'POWER_OFF' };
    if (step === 'SHUT_DOWN') return { kind: 'fail', message: 'The operating system did not react.' };
    if (step === 'ASSIGN') return { kind: 'fail', message: 'There is no machine for this server at the moment.' };
    if (!WITH_MEDIUM.includes(command) || !OF_MEDIUM.includes(step)) return undefined;
    if (rebuilds < MEDIA_TRIES_MAX) return { kind: 'next', step: 'CUT_POWER', rebuilt: true };
    // What does not succeed automatically is given to a person.
    if (command === 'PROVISION' || command === 'DECOMMISSION') return { kind: 'next', step: 'HAND_OVER' };
    return { kind: 'fail', message: 'The machine did not do it, although it was tried again.' };
  },
  succeeded: { PROVISION: 'provisioned', REINSTALL: 'reinstall_completed' },
  failed: { PROVISION: 'refunded', REINSTALL: 'reinstall_given_up' },
  powerAfter: ({ command }) => RESULTS[command],
  changeAfter: ({ operation: { command } }) => ({
    // Any command after which the disk is booted has ended the rescue.
    ...(command !== 'RESCUE' && RESULTS[command] === 'RUNNING' && { rescuePasswordSealed: null }),
    ...(command === 'DECOMMISSION' && { passwordSealed: null, rescuePasswordSealed: null }),
  }),
  async afterSuccess({ ctx: { em, clock, providers }, server, operation: { command } }) {
    if (command !== 'DECOMMISSION') return;
    const restsUntil = after(clock.now(), providers.restMs);
    await releaseMachine(em, server.id, restsUntil);
    await releaseAddresses(em, server.id, restsUntil);
  },
  async afterFailure({ ctx, server, operation: { command } }) {
    if (command === 'PROVISION') await freeStockOfOrder(ctx.em, server.orderId);
  },
  async actualPower(ctx, { id }, { command }) {
    if (command === 'PROVISION') return undefined;
    const machine = await machineOfServer(ctx.em, id);
    const ref = machine && controllerOf(ctx, machine);
    if (!ref || !ctx.providers.metal) return 'UNKNOWN';
    try {
      const { power } = await ctx.providers.metal.bareMetal.inspect(ref);
      return power === 'on' ? 'RUNNING' : power === 'off' ? 'STOPPED' : 'UNKNOWN';
    } catch (error) {
      if (error instanceof VendorTrouble) return 'UNKNOWN';
      throw error;
    }
  },
};
