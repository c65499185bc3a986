// What operations of a VPS come to: its lifecycle, its machine, its addresses.
import { after } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { appendEvents } from '#platform/events.ts';
import { next } from '#platform/lifecycle.ts';
import type { ComputeContext } from '../../builder.ts';
import { REBUILDS_MAX, type VpsStep } from '../domain/vps-operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import { VPS_LIFECYCLE, type VpsStatus } from '../../servers/domain/server-lifecycle.ts';
import { BACKUP_AGAIN_MS, BACKUP_EVERY_MS, FIRST_BACKUP_MS } from '../../backups/domain/vps-backup.ts';
import { giveBackAddresses } from '../../networking/entities/address.ts';
import { dropBackupsOfServer } from '../../backups/entities/backup.ts';
import { wishFirewallAgain } from '../../networking/entities/firewall.ts';
import { type OperationRow, insertOperation } from '../entities/operation.ts';
import { type ServerRow, updateServer } from '../../servers/entities/server.ts';
import { type OperationWay, aboutServer } from './operation-way.ts';
import { BACKUP_STEPS } from '../../backups/services/backup-steps.ts';
import { setBoot } from './boot-steps.ts';
import { MACHINE_STEPS, type Outcome } from './steps.ts';

const STEP_RUNS = { ...MACHINE_STEPS, ...BACKUP_STEPS, SET_BOOT: setBoot };

const COULD_NOT: Outcome = { kind: 'fail', message: 'The server could not be built.' };
const isOneTooMany = ({ rebuilds }: OperationRow, outcome: Outcome): boolean =>
  outcome.kind === 'next' && outcome.step === 'CLEAR' && rebuilds >= REBUILDS_MAX;

/** The power state that each command leads to. */
const RESULTS: Partial<Record<OperationRow['command'], PowerState>> = {
  BUILD: 'RUNNING',
  START: 'RUNNING',
  REBOOT: 'RUNNING',
  STOP: 'STOPPED',
  FORCE_STOP: 'STOPPED',
  SUSPEND: 'STOPPED',
  RESUME: 'RUNNING',
  RESTORE: 'RUNNING',
  RESCUE: 'RUNNING',
  RESCUE_END: 'RUNNING',
};
/** Those that leave a machine off when it was off. */
const powerAfter = ({ command }: OperationRow, { powerState }: ServerRow): PowerState | undefined =>
  command === 'UPGRADE' || command === 'ADD_ADDRESSES' ? (powerState === 'STOPPED' ? 'STOPPED' : 'RUNNING') : RESULTS[command];

export const vpsOperation: OperationWay = {
  async look({ ctx, server, operation }) {
    const { datacenter } = ctx.providers;
    if (!datacenter) return { kind: 'wait', work: operation.work };
    const outcome = await STEP_RUNS[operation.step as VpsStep]({ ctx, server, operation, datacenter });
    return isOneTooMany(operation, outcome) ? COULD_NOT : outcome;
  },
  /** A machine that does not come is replaced by another one, then given up. */
  late({ command, step, rebuilds }) {
    if (step === 'TURN_OFF') return { kind: 'next', step: 'CUT_OFF' };
    // A guest without our agent keeps the password that it has.
    if (step === 'LET_IN') return { kind: 'done' };
    if (command !== 'BUILD') return undefined;
    if (step === 'RESERVE' || step === 'PLACE') return { kind: 'fail', message: 'There is no room for this server at the moment.' };
    if (step === 'CLEAR' || rebuilds >= REBUILDS_MAX) return COULD_NOT;
    return { kind: 'next', step: 'CLEAR' };
  },
  async succeed(tx, server, operation) {
    const { id } = server;
    const { command } = operation;
    const now = tx.clock.now();
    const powerState = powerAfter(operation, server);
    const status = operation.command === 'BUILD' ? next(VPS_LIFECYCLE, server.status as VpsStatus, 'provisioned') : undefined;
    await updateServer(tx.em, id, {
      ...(powerState && { powerState }),
      ...(status && { status }),
      ...(command === 'RESCUE'
        ? { rescuePasswordSealed: operation.secretSealed }
        : operation.secretSealed && { passwordSealed: operation.secretSealed }),
      ...((command === 'RESCUE_END' || command === 'RELEASE') && { rescuePasswordSealed: null }),
      ...((command === 'BUILD' || command === 'UPGRADE') && { machinePlanCode: server.planCode }),
      ...(command === 'BUILD' && server.backups && { nextBackupAt: after(now, FIRST_BACKUP_MS) }),
      ...(command === 'BACKUP' && server.nextBackupAt && operation.scheduled && { nextBackupAt: after(now, BACKUP_EVERY_MS) }),
      ...(command === 'RESUME' && { runWhenResumed: false }),
      ...(command === 'RELEASE' && NOTHING_LEFT),
    });
    if (RECONFIGURES.includes(command)) await wishFirewallAgain(tx.em, id, now);
    if (command === 'RELEASE') await released(tx, server);
    if (!status) return;
    const { orderId, hostname } = server;
    const about = aboutServer(tx, server);
    await appendEvents(
      tx.em,
      { type: 'fulfilment.delivered', ...about, data: { orderId } },
      { type: 'compute_vps.created', ...about, data: { orderId, hostname } },
    );
  },
  /** A build that fails is paid back, and everything that it holds is released; other operations leave the server as it really is. */
  async fail(tx, server, operation, message) {
    if (operation.command === 'BACKUP' && operation.scheduled)
      await updateServer(tx.em, server.id, { nextBackupAt: after(tx.clock.now(), BACKUP_AGAIN_MS) });
    if (operation.command !== 'BUILD') return;
    const status = next(VPS_LIFECYCLE, server.status as VpsStatus, 'refunded');
    if (status) await updateServer(tx.em, server.id, { status });
    await release(tx, server);
    const failed = { ...aboutServer(tx, server), data: { orderId: server.orderId, reason: message } };
    await appendEvents(tx.em, { type: 'fulfilment.failed', ...failed }, { type: 'compute_vps.failed', ...failed });
  },
  async actualPower(ctx, { node, machineNumber }, { command }) {
    if (command === 'BUILD') return undefined;
    const { datacenter } = ctx.providers;
    if (!datacenter || node === null || machineNumber === null) return 'UNKNOWN';
    try {
      return (await datacenter.hypervisor.inspect({ node, number: machineNumber })).running ? 'RUNNING' : 'STOPPED';
    } catch {
      return 'UNKNOWN';
    }
  },
};

/** Those that write the machine's interfaces anew, which then know of no firewall. */
const RECONFIGURES: readonly OperationRow['command'][] = ['UPGRADE', 'ADD_ADDRESSES', 'RESTORE', 'RESCUE_END'];

const NOTHING_LEFT = {
  powerState: 'UNKNOWN',
  node: null,
  machineNumber: null,
  machinePlanCode: null,
  passwordSealed: null,
  userDataSealed: null,
  nextBackupAt: null,
} as const;

async function released(tx: ComputeContext, server: ServerRow): Promise<void> {
  await giveBackAddresses(tx.em, server.id, after(tx.clock.now(), tx.providers.restMs));
  await dropBackupsOfServer(tx.em, server.id);
  // One that was never delivered was paid back, and told so.
  if (server.machinePlanCode === null) return;
  await appendEvents(tx.em, { type: 'compute_vps.deleted', ...aboutServer(tx, server), data: { hostname: server.hostname } });
}

/** Begins to remove a server's machine and to give back its addresses, in the transaction of `ctx.em`. It goes on until nothing is left. */
export async function release(ctx: ComputeContext, { id, accountId }: ServerRow): Promise<void> {
  const operationId = newId('op', ctx.clock);
  if (await insertOperation(ctx.em, { id: operationId, serverId: id, accountId, command: 'RELEASE', at: ctx.clock.now() }))
    await ctx.jobs.enqueue(ctx.em, 'compute.operation-continue', { operationId }, { key: operationId });
}
