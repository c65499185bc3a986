// What the results of operations mean for a VPS: its lifecycle, its machine, its addresses.
import { after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import type { ProvisioningContext } from '../context.ts';
import { REBUILDS_MAX, type VpsCommand, type VpsStep, leavesOff } from '../../operations/domain/vps-operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';
import { BACKUP_AGAIN_MS, BACKUP_EVERY_MS, FIRST_BACKUP_MS } from '../../backups/domain/vps-backup.ts';
import { releaseAddresses } from '../../networking/entities/address.ts';
import { dropBackupsOfServer } from '../../backups/entities/backup.ts';
import { wishFirewallAgain } from '../../networking/entities/firewall.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { type ServerRow, updateServer } from '../../servers/entities/server.ts';
import { hasEverStarted } from '../../machines/entities/placement.ts';
import { HypervisorTrouble, type Work } from '../../machines/providers/hypervisor.ts';
import { followMachine } from './follow-machine.ts';
import type { OperationDriver, Outcome } from './operation-driver.ts';
import { BACKUP_STEPS } from './backup-steps.ts';
import { MOVE_STEPS } from './move-steps.ts';
import { POWER_STEPS } from './power-steps.ts';
import { MACHINE_STEPS, leaveSilentCluster } from './vps-steps.ts';
import { aboutServer } from '../../operations/services/server-events.ts';

const STEP_RUNS = { ...MACHINE_STEPS, ...POWER_STEPS, ...MOVE_STEPS, ...BACKUP_STEPS };

const COULD_NOT: Outcome = { kind: 'fail', message: 'The server could not be built.' };
const isOneTooMany = ({ rebuilds }: OperationRow, outcome: Outcome): boolean =>
  outcome.kind === 'next' && (outcome.step === 'CLEAR' || outcome.rebuilt === true) && rebuilds >= REBUILDS_MAX;

/** Adds the reason of a failed task to an outcome that tries again, or another way. */
const withReason = (outcome: Outcome, work: Work | null): Outcome =>
  work?.state === 'failed' && (outcome.kind === 'wait' || outcome.kind === 'next')
    ? { trouble: work.reason ?? 'the work failed', ...outcome }
    : outcome;

/** The power state after each command has succeeded. */
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
  REINSTALL: 'RUNNING',
};

export const vpsDriver: OperationDriver = {
  async look({ ctx, server, operation }) {
    const { datacenter } = ctx.providers;
    if (!datacenter) return { kind: 'wait', work: operation.work };
    const cluster = await datacenter.clusters.of(server.node);
    try {
      const work = operation.work === null ? null : await datacenter.hypervisor.work(operation.work);
      const outcome = withReason(await STEP_RUNS[operation.step as VpsStep]({ ctx, server, operation, datacenter: cluster, work }), work);
      return isOneTooMany(operation, outcome) ? COULD_NOT : outcome;
    } catch (error) {
      if (error instanceof HypervisorTrouble && error.message.includes('does not exist') && (await followMachine(ctx, server)))
        return { kind: 'wait', work: operation.work };
      const elsewhere =
        error instanceof HypervisorTrouble && (await leaveSilentCluster({ ctx, server, operation }, cluster, error.message));
      if (elsewhere) return elsewhere;
      throw error;
    }
  },
  /** A machine that cannot be built is replaced by another one; after REBUILDS_MAX times the build is given up. */
  late({ command, step, rebuilds }) {
    if (step === 'TURN_OFF') return { kind: 'next', step: 'CUT_OFF' };
    // A guest without the agent keeps the password that it has.
    if (step === 'LET_IN') return { kind: 'done' };
    if (command !== 'BUILD') return undefined;
    if (step === 'RESERVE' || step === 'PLACE') return { kind: 'fail', message: 'There is no room for this server at the moment.' };
    if (step === 'CLEAR' || rebuilds >= REBUILDS_MAX) return COULD_NOT;
    return { kind: 'next', step: 'CLEAR' };
  },
  succeeded: { BUILD: 'provisioned' },
  failed: { BUILD: 'refunded' },
  powerAfter: ({ command }, { powerState }) =>
    leavesOff(command as VpsCommand) ? (powerState === 'STOPPED' ? 'STOPPED' : 'RUNNING') : RESULTS[command],
  changeAfter({ ctx, server, operation: { command, scheduled } }) {
    const now = ctx.clock.now();
    return {
      ...((command === 'RESCUE_END' || command === 'REINSTALL' || command === 'RELEASE') && { rescuePasswordSealed: null }),
      // User data may contain secrets, and is no longer needed once it has run.
      ...(command === 'BUILD' && { userDataSealed: null }),
      ...((command === 'BUILD' || command === 'UPGRADE') && { machinePlanCode: server.planCode }),
      ...(command === 'BUILD' && server.backups && { nextBackupAt: after(now, FIRST_BACKUP_MS) }),
      ...(command === 'BACKUP' && server.nextBackupAt && scheduled && { nextBackupAt: after(now, BACKUP_EVERY_MS) }),
      ...(command === 'RESUME' && { runWhenResumed: false }),
      ...(command === 'RELEASE' && NOTHING_LEFT),
    };
  },
  async afterSuccess({ ctx, server, operation: { command } }) {
    if (RECONFIGURES.includes(command)) await wishFirewallAgain(ctx.em, server.id, ctx.clock.now());
    if (command === 'RELEASE') await released(ctx, server);
  },
  async afterFailure({ ctx, server, operation: { command, scheduled } }) {
    if (command === 'BACKUP' && scheduled) await updateServer(ctx.em, server.id, { nextBackupAt: after(ctx.clock.now(), BACKUP_AGAIN_MS) });
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

/** Commands that write the machine's interfaces anew, which then have no firewall flag. */
const RECONFIGURES: readonly OperationRow['command'][] = [
  'UPGRADE',
  'ADD_ADDRESSES',
  'CHANGE_ADDRESS',
  'RESTORE',
  'RESCUE_END',
  'REINSTALL',
];

const NOTHING_LEFT = {
  powerState: 'UNKNOWN',
  node: null,
  machineNumber: null,
  machinePlanCode: null,
  passwordSealed: null,
  userDataSealed: null,
  nextBackupAt: null,
} as const;

async function released(tx: ProvisioningContext, server: ServerRow): Promise<void> {
  // Addresses that were never in use need no rest.
  const restMs = (await hasEverStarted(tx.em, server.id)) ? tx.providers.restMs : 0;
  await releaseAddresses(tx.em, server.id, after(tx.clock.now(), restMs));
  await dropBackupsOfServer(tx.em, server.id);
  // A server that was never delivered was paid back, and has an event of its own.
  if (server.machinePlanCode === null) return;
  await appendEvents(tx.em, { type: 'compute_vps.deleted', ...aboutServer(tx, server), data: { hostname: server.hostname } });
}
