// Continues operations, one short step at a time. It does not depend on one process: the row has the progress, a claim with a time limit tells which process
// works on it, and a sweeper finds operations that none has claimed.
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { ProvisioningContext } from '../context.ts';
import { LOOK_MS, type ServerKind, type Step, stepTerms, troubleMs } from '../../operations/domain/operation.ts';
import { type OperationRow, claimOperation, endOperation, saveOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, lockServer, serversByIds, updateServer } from '../../servers/entities/server.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { dedicatedDriver } from './dedicated-driver.ts';
import { giveUp, succeed } from './finish-operation.ts';
import type { MachineChange, OperationDriver, OperationInput, Outcome } from './operation-driver.ts';
import { vpsDriver } from './vps-driver.ts';
import { announceChange } from '../../operations/services/server-events.ts';

/** `moved`: the next step can run at once. `waiting`: it continues when it is due again. */
export type Progress = 'moved' | 'waiting' | 'ended' | 'not_due';

const DRIVERS: Record<ServerKind, OperationDriver> = { VPS: vpsDriver, DEDICATED: dedicatedDriver };

class TakenOver extends Error {}

/** Runs one step. Safe to call by any process at any time. */
export async function continueOperation(ctx: ProvisioningContext, operationId: string): Promise<Progress> {
  const operation = await claimOperation(ctx.em, operationId, ctx.clock.now());
  if (!operation) return 'not_due';
  const server = (await serversByIds(ctx.em, [operation.serverId]))[0];
  if (!server) throw new Error(`operation ${operationId} has no server`);
  const input = { ctx, server, operation };
  const { outcome, trouble } = await look(input);
  try {
    if (outcome.kind === 'done') await inTransaction(ctx, (tx) => endWell(tx, server, operation));
    else if (outcome.kind === 'fail') await endBadly(input, outcome.message);
    else await inTransaction(ctx, (tx) => goOn(tx, server, operation, outcome, trouble));
  } catch (error) {
    // Another process has claimed it, since this step took longer than the claim.
    if (error instanceof TakenOver) return 'not_due';
    throw error;
  }
  return outcome.kind === 'next' ? 'moved' : outcome.kind === 'wait' ? 'waiting' : 'ended';
}

/** Runs steps until the operation waits or has ended. */
export async function runOperation(ctx: ProvisioningContext, operationId: string): Promise<Progress> {
  for (;;) {
    const progress = await continueOperation({ ...ctx, em: ctx.em.fork() as ProvisioningContext['em'] }, operationId);
    if (progress !== 'moved') return progress;
  }
}

interface Look {
  outcome: Outcome;
  trouble: string | null;
}

async function look(input: OperationInput): Promise<Look> {
  const { ctx, server, operation } = input;
  const late = overdue(server, operation, ctx.clock.now());
  if (late) return { outcome: late, trouble: null };
  try {
    const outcome = await DRIVERS[server.kind].look(input);
    const trouble = outcome.kind === 'next' || outcome.kind === 'wait' ? (outcome.trouble ?? null) : null;
    if (trouble !== null) ctx.log.warn({ operation: operation.id, step: operation.step, error: trouble }, 'work of an operation failed');
    return { outcome, trouble };
  } catch (error) {
    if (!(error instanceof VendorTrouble)) throw error;
    ctx.log.warn({ operation: operation.id, step: operation.step, error: error.message }, 'a step of an operation failed');
    return { outcome: { kind: 'wait', work: operation.work }, trouble: error.message.slice(0, 500) };
  }
}

function overdue({ kind }: ServerRow, operation: OperationRow, now: Date): Outcome | undefined {
  if (operation.deadline && operation.deadline <= now) return { kind: 'fail', message: 'It did not come to an end in time.' };
  return operation.stepDeadline && operation.stepDeadline <= now ? DRIVERS[kind].late(operation) : undefined;
}

async function goOn(
  ctx: ProvisioningContext,
  server: ServerRow,
  operation: OperationRow,
  outcome: Extract<Outcome, { kind: 'next' | 'wait' }>,
  trouble: string | null,
): Promise<void> {
  const now = ctx.clock.now();
  const moved = outcome.kind === 'next';
  const rebuilds = operation.rebuilds + (moved && outcome.rebuilt ? 1 : 0);
  const step: Step = moved ? outcome.step : operation.step;
  const { withinMs } = stepTerms(server.id, step);
  const tries = trouble === null ? 0 : operation.tries + 1;
  const waitMs = trouble === null ? ((outcome.kind === 'wait' ? outcome.lookMs : undefined) ?? LOOK_MS) : troubleMs(tries);
  const saved = await saveOperation(ctx.em, operation, {
    step,
    tries,
    rebuilds,
    trouble,
    work: moved ? (step === 'CLEAR' ? operation.work : null) : outcome.work,
    nextAt: moved ? now : after(now, waitMs),
    stepDeadline: moved ? (withinMs === null ? null : after(now, withinMs)) : operation.stepDeadline,
  });
  if (!saved) throw new TakenOver();
  if (!moved) return;
  if (outcome.change) await updateServer(ctx.em, server.id, outcome.change satisfies MachineChange);
  await announceChange(ctx, server, { operationId: operation.id, step });
}

async function endWell(ctx: ProvisioningContext, { id }: ServerRow, operation: OperationRow): Promise<void> {
  const server = await lockServer(ctx.em, id);
  if (!server || !(await endOperation(ctx.em, operation, ctx.clock.now(), null))) throw new TakenOver();
  await succeed(DRIVERS[server.kind], { ctx, server, operation });
  await announceChange(ctx, server, { operationId: operation.id });
}

async function endBadly({ ctx, server: { id, kind }, operation }: OperationInput, message: string): Promise<void> {
  const [fresh] = await serversByIds(ctx.em, [id]);
  const powerState = fresh && (await DRIVERS[kind].actualPower(ctx, fresh, operation));
  await inTransaction(ctx, async (tx) => {
    const server = await lockServer(tx.em, id);
    if (!server || !(await endOperation(tx.em, operation, tx.clock.now(), { code: 'operation_failed', message }))) throw new TakenOver();
    if (powerState) await updateServer(tx.em, id, { powerState });
    await giveUp(DRIVERS[kind], { ctx: tx, server, operation }, message);
    await announceChange(tx, server, { operationId: operation.id });
  });
}
