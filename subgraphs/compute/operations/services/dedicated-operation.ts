// What operations of a dedicated server come to: its lifecycle, its machine, its password.
import { after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { next } from '#platform/lifecycle.ts';
import type { ComputeContext } from '../../builder.ts';
import { type DedicatedStep, MEDIA_TRIES_MAX } from '../domain/dedicated-operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import { DEDICATED_LIFECYCLE, type DedicatedStatus, type ServerEvent } from '../../servers/domain/server-lifecycle.ts';
import { giveBackAddresses } from '../../networking/entities/address.ts';
import { giveBackMachine, machineOfServer } from '../../machines/entities/bare-metal.ts';
import type { OperationRow } from '../entities/operation.ts';
import { type ServerRow, updateServer } from '../../servers/entities/server.ts';
import { freeStockOfOrder } from '../../orders/entities/stock-hold.ts';
import { VendorTrouble } from '../providers/vendor-trouble.ts';
import { beginOperation } from './begin-operation.ts';
import { DEDICATED_STEP_RUNS, controllerOf } from './dedicated-steps.ts';
import { dropFirewall } from '../../networking/services/firewall.ts';
import { type OperationWay, aboutServer } from './operation-way.ts';

/** The power state that each command leads to. */
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
const EVENTS: Partial<Record<OperationRow['command'], ServerEvent>> = { PROVISION: 'provisioned', REINSTALL: 'reinstall_completed' };

/** Steps of a medium: one that does not come to its end is booted again from the beginning. */
const OF_MEDIUM: readonly string[] = ['CUT_POWER', 'INSERT_MEDIA', 'BOOT_MEDIA', 'RUN_MEDIA', 'EJECT_MEDIA', 'REACH', 'POWER_ON'];
const WITH_MEDIUM: readonly string[] = ['PROVISION', 'REINSTALL', 'RESET_PASSWORD', 'RESCUE', 'RESCUE_END', 'DECOMMISSION'];

export const dedicatedOperation: OperationWay = {
  look: (input) => DEDICATED_STEP_RUNS[input.operation.step as DedicatedStep](input),
  late({ command, step, rebuilds }) {
    if (command === 'SUSPEND' && step === 'SHUT_DOWN') return { kind: 'next', step: 'POWER_OFF' };
    if (step === 'SHUT_DOWN') return { kind: 'fail', message: 'The operating system did not react.' };
    if (step === 'ASSIGN') return { kind: 'fail', message: 'There is no machine for this server at the moment.' };
    if (!WITH_MEDIUM.includes(command) || !OF_MEDIUM.includes(step)) return undefined;
    if (rebuilds < MEDIA_TRIES_MAX) return { kind: 'next', step: 'CUT_POWER', rebuilt: true };
    // What does not succeed by itself is looked after by somebody.
    if (command === 'PROVISION' || command === 'DECOMMISSION') return { kind: 'next', step: 'HAND_OVER' };
    return { kind: 'fail', message: 'The machine did not do it, although it was tried again.' };
  },
  async succeed(tx, server, { command, secretSealed }) {
    const { em, clock } = tx;
    const event = EVENTS[command];
    const status = event && next(DEDICATED_LIFECYCLE, server.status as DedicatedStatus, event);
    const powerState = RESULTS[command];
    await updateServer(em, server.id, {
      ...(powerState && { powerState }),
      ...(status && { status }),
      ...(command === 'RESCUE' ? { rescuePasswordSealed: secretSealed } : secretSealed && { passwordSealed: secretSealed }),
      // Whatever booted the disk has ended the rescue.
      ...(command !== 'RESCUE' && powerState === 'RUNNING' && { rescuePasswordSealed: null }),
      ...(command === 'DECOMMISSION' && { passwordSealed: null, rescuePasswordSealed: null }),
    });
    if (command === 'PROVISION') {
      const delivered = { ...aboutServer(tx, server), data: { orderId: server.orderId } };
      await appendEvents(em, { type: 'fulfilment.delivered', ...delivered }, { type: 'compute_dedicated.delivered', ...delivered });
    }
    if (command !== 'DECOMMISSION') return;
    const restsUntil = after(clock.now(), tx.providers.restMs);
    await giveBackMachine(em, server.id, restsUntil);
    await giveBackAddresses(em, server.id, restsUntil);
  },
  async fail(tx, server, operation, message) {
    if (operation.command === 'REINSTALL') {
      const status = next(DEDICATED_LIFECYCLE, server.status as DedicatedStatus, 'reinstall_given_up');
      if (status) await updateServer(tx.em, server.id, { status });
    }
    if (operation.command !== 'PROVISION') return;
    const status = next(DEDICATED_LIFECYCLE, server.status as DedicatedStatus, 'refunded');
    if (status) await updateServer(tx.em, server.id, { status });
    await freeStockOfOrder(tx.em, server.orderId);
    await decommission(tx, server);
    const failed = { ...aboutServer(tx, server), data: { orderId: server.orderId, reason: message } };
    await appendEvents(tx.em, { type: 'fulfilment.failed', ...failed }, { type: 'compute_dedicated.failed', ...failed });
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

/** Begins to wipe a server's machine and to give it back, in the transaction of `ctx.em`, whatever else is under way. */
export async function decommission(ctx: ComputeContext, server: ServerRow): Promise<string> {
  await dropFirewall(ctx, server.id);
  return beginOperation(ctx, server, { command: 'DECOMMISSION', supersede: 'The server is decommissioned.' });
}
