// Carries operations on, one short step at a time. Nothing of it rests on one process: the row says where it stands, a lease who has it in hand, and a
// sweeper finds what nobody has.
import { after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import { appendEvents } from '#shared/events.ts';
import { newId } from '#shared/ids.ts';
import { next } from '#shared/lifecycle.ts';
import type { ComputeContext } from '../builder.ts';
import { LOOK_MS, REBUILDS_MAX, STEPS, type Step, troubleMs } from '../domain/operation.ts';
import type { PowerState } from '../domain/server-action.ts';
import { VPS_LIFECYCLE, type VpsStatus } from '../domain/server-lifecycle.ts';
import { giveBackAddresses } from '../entities/address.ts';
import { type OperationRow, claimOperation, endOperation, insertOperation, saveOperation } from '../entities/operation.ts';
import { type ServerRow, lockServer, serversByIds, updateServer } from '../entities/server.ts';
import { HypervisorTrouble } from '../providers/hypervisor.ts';
import type { Datacenter } from '../providers.ts';
import { type Outcome, STEP_RUNS, type ServerChange } from './steps.ts';

/** `moved`: there is more to do at once. `waiting`: until its next look. */
export type Progress = 'moved' | 'waiting' | 'ended' | 'not_due';

class TakenOver extends Error {}

/** Runs one step. Safe to call by anybody at any time. */
export async function continueOperation(ctx: ComputeContext, operationId: string): Promise<Progress> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return 'not_due';
  const operation = await claimOperation(ctx.em, operationId, ctx.clock.now());
  if (!operation) return 'not_due';
  const server = (await serversByIds(ctx.em, [operation.serverId]))[0];
  if (!server) throw new Error(`operation ${operationId} has no server`);
  const { outcome, trouble } = await look(ctx, server, operation, datacenter);
  try {
    if (outcome.kind === 'done') await inTransaction(ctx, (tx) => succeed(tx, server, operation));
    else if (outcome.kind === 'fail') await giveUp(ctx, server, operation, datacenter, outcome.message);
    else await inTransaction(ctx, (tx) => goOn(tx, server, operation, outcome, trouble));
  } catch (error) {
    // Somebody else went on with it, since this took longer than its lease.
    if (error instanceof TakenOver) return 'not_due';
    throw error;
  }
  return outcome.kind === 'next' ? 'moved' : outcome.kind === 'wait' ? 'waiting' : 'ended';
}

/** Runs steps until the operation waits or is over. */
export async function runOperation(ctx: ComputeContext, operationId: string): Promise<Progress> {
  for (;;) {
    const progress = await continueOperation({ ...ctx, em: ctx.em.fork() as ComputeContext['em'] }, operationId);
    if (progress !== 'moved') return progress;
  }
}

interface Look {
  outcome: Outcome;
  trouble: string | null;
}

async function look(ctx: ComputeContext, server: ServerRow, operation: OperationRow, datacenter: Datacenter): Promise<Look> {
  const late = overdue(operation, ctx.clock.now());
  if (late) return { outcome: late, trouble: null };
  try {
    const outcome = await STEP_RUNS[operation.step]({ ctx, server, operation, datacenter });
    return { outcome: isOneTooMany(operation, outcome) ? COULD_NOT : outcome, trouble: null };
  } catch (error) {
    if (!(error instanceof HypervisorTrouble)) throw error;
    ctx.log.warn({ operation: operation.id, step: operation.step, error: error.message }, 'a step of an operation failed');
    return { outcome: { kind: 'wait', work: operation.work }, trouble: error.message.slice(0, 500) };
  }
}

const COULD_NOT: Outcome = { kind: 'fail', message: 'The server could not be built.' };
const isOneTooMany = ({ rebuilds }: OperationRow, outcome: Outcome): boolean =>
  outcome.kind === 'next' && outcome.step === 'CLEAR' && rebuilds >= REBUILDS_MAX;

/** What a deadline decides: a machine that does not come is replaced by another one, then given up. */
function overdue({ command, step, rebuilds, stepDeadline, deadline }: OperationRow, now: Date): Outcome | undefined {
  if (deadline && deadline <= now) return { kind: 'fail', message: 'It did not come to an end in time.' };
  if (!stepDeadline || stepDeadline > now) return undefined;
  if (command !== 'BUILD') return undefined;
  if (step === 'RESERVE' || step === 'PLACE') return { kind: 'fail', message: 'There is no room for this server at the moment.' };
  if (step === 'CLEAR' || rebuilds >= REBUILDS_MAX) return COULD_NOT;
  return { kind: 'next', step: 'CLEAR' };
}

const announce = (ctx: ComputeContext, { id: subject, accountId }: ServerRow, type: string, data: Record<string, unknown> = {}) =>
  appendEvents(ctx.em, { type, at: ctx.clock.now(), accountId, subject, data });

async function goOn(
  ctx: ComputeContext,
  server: ServerRow,
  operation: OperationRow,
  outcome: Extract<Outcome, { kind: 'next' | 'wait' }>,
  trouble: string | null,
): Promise<void> {
  const now = ctx.clock.now();
  const moved = outcome.kind === 'next';
  const rebuilds = operation.rebuilds + (moved && outcome.rebuilt ? 1 : 0);
  const step: Step = moved ? outcome.step : operation.step;
  const { withinMs } = STEPS[step];
  const tries = trouble === null ? 0 : operation.tries + 1;
  const saved = await saveOperation(ctx.em, operation, {
    ...{ step, tries, rebuilds, trouble },
    work: moved ? (step === 'CLEAR' ? operation.work : null) : outcome.work,
    nextAt: moved ? now : after(now, trouble === null ? LOOK_MS : troubleMs(tries)),
    stepDeadline: moved ? (withinMs === null ? null : after(now, withinMs)) : operation.stepDeadline,
  });
  if (!saved) throw new TakenOver();
  if (!moved) return;
  if (outcome.change) await updateServer(ctx.em, server.id, outcome.change satisfies ServerChange);
  await announce(ctx, server, 'compute_vps.changed', { operationId: operation.id, step });
}

/** The power state that each command leads to. */
const RESULTS: Partial<Record<OperationRow['command'], PowerState>> = {
  BUILD: 'RUNNING',
  START: 'RUNNING',
  REBOOT: 'RUNNING',
  STOP: 'STOPPED',
  FORCE_STOP: 'STOPPED',
};

async function succeed(ctx: ComputeContext, { id }: ServerRow, operation: OperationRow): Promise<void> {
  const now = ctx.clock.now();
  const server = await lockServer(ctx.em, id);
  if (!server || !(await endOperation(ctx.em, operation, now, null))) throw new TakenOver();
  const powerState = RESULTS[operation.command];
  const status = operation.command === 'BUILD' ? next(VPS_LIFECYCLE, server.status as VpsStatus, 'provisioned') : undefined;
  await updateServer(ctx.em, id, {
    ...(powerState && { powerState }),
    ...(status && { status }),
    ...(operation.secretSealed && { passwordSealed: operation.secretSealed }),
    ...(operation.command === 'RELEASE' && { powerState: 'UNKNOWN', node: null, machineNumber: null, passwordSealed: null }),
  });
  if (operation.command === 'RELEASE') await giveBackAddresses(ctx.em, id, after(now, ctx.providers.restMs));
  if (status) await announce(ctx, server, 'compute_vps.created', { orderId: server.orderId });
  await announce(ctx, server, 'compute_vps.changed', { operationId: operation.id });
}

/** A build that fails is paid back, and everything that it holds is released; other operations leave the server as it really is. */
async function giveUp(
  ctx: ComputeContext,
  { id }: ServerRow,
  operation: OperationRow,
  datacenter: Datacenter,
  message: string,
): Promise<void> {
  const powerState = operation.command === 'BUILD' ? undefined : await actualPower(ctx, id, datacenter);
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const server = await lockServer(tx.em, id);
    if (!server || !(await endOperation(tx.em, operation, now, { code: 'operation_failed', message }))) throw new TakenOver();
    if (powerState) await updateServer(tx.em, id, { powerState });
    if (operation.command === 'BUILD') {
      const status = next(VPS_LIFECYCLE, server.status as VpsStatus, 'refunded');
      if (status) await updateServer(tx.em, id, { status });
      await release(tx, server);
      await announce(tx, server, 'compute_vps.failed', { orderId: server.orderId, reason: message });
    }
    await announce(tx, server, 'compute_vps.changed', { operationId: operation.id });
  });
}

/** Begins to remove a server's machine and to give back its addresses, in the transaction of `ctx.em`. It goes on until nothing is left. */
export async function release(ctx: ComputeContext, { id, accountId }: ServerRow): Promise<void> {
  const operationId = newId('op', ctx.clock);
  if (await insertOperation(ctx.em, { id: operationId, serverId: id, accountId, command: 'RELEASE', at: ctx.clock.now() }))
    await ctx.jobs.enqueue(ctx.em, 'compute.operation-continue', { operationId }, { key: operationId });
}

async function actualPower(ctx: ComputeContext, id: string, { hypervisor }: Datacenter): Promise<PowerState> {
  const server = (await serversByIds(ctx.em, [id]))[0];
  if (!server || server.node === null || server.machineNumber === null) return 'UNKNOWN';
  try {
    return (await hypervisor.inspect({ node: server.node, number: server.machineNumber })).running ? 'RUNNING' : 'STOPPED';
  } catch {
    return 'UNKNOWN';
  }
}
