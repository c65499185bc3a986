// What owners ask of their servers.
import { accountOf } from '#shared/context.ts';
import { inTransaction } from '#shared/database.ts';
import { appendEvents } from '#shared/events.ts';
import { fail } from '#shared/errors.ts';
import { isId, newId } from '#shared/ids.ts';
import { seal, unseal } from '#shared/secrets.ts';
import type { ComputeContext } from '../builder.ts';
import type { Command } from '../domain/operation.ts';
import { type ActionVerdict, type PowerState, type ServerAction, availableActions, mustAllow } from '../domain/server-action.ts';
import { endOperation, insertOperation, operationsByIds, runningOperation } from '../entities/operation.ts';
import type { OperationRow } from '../entities/operation.ts';
import { type ServerRow, lockServer, serversByIds, updateServer } from '../entities/server.ts';
import { newPassword } from './order-vps.ts';
import { passwordPlace } from './steps.ts';

/** The actions that owners begin here, and the power state while each goes on. */
const COMMANDS_OF = {
  start: { command: 'START', meanwhile: 'STARTING' },
  reboot: { command: 'REBOOT', meanwhile: 'RESTARTING' },
  stop: { command: 'STOP', meanwhile: 'STOPPING' },
  force_stop: { command: 'FORCE_STOP', meanwhile: 'STOPPING' },
  reset_password: { command: 'RESET_PASSWORD', meanwhile: null },
} as const satisfies Partial<Record<ServerAction, { command: Command; meanwhile: PowerState | null }>>;
export type OwnersAction = keyof typeof COMMANDS_OF;

const isOwners = (verdict: ActionVerdict): verdict is ActionVerdict & { action: OwnersAction } =>
  Object.hasOwn(COMMANDS_OF, verdict.action);

const factsOf = ({ kind, status, powerState }: ServerRow, running: OperationRow | undefined) => ({
  ...{ kind, status, powerState },
  cancelAtPeriodEnd: false,
  busy: running !== undefined,
});

/** Every action that can be begun here, with its verdict now. */
export async function actionsOf(ctx: ComputeContext, server: ServerRow) {
  return availableActions(factsOf(server, await runningOperation(ctx.em, server.id))).filter(isOwners);
}

/** Begins an action of the caller's server. Errors: server_not_found, action_not_allowed, servers_not_sold. */
export async function actOnServer(ctx: ComputeContext, serverId: string, action: OwnersAction): Promise<OperationRow> {
  const accountId = accountOf(ctx);
  const id = newId('op', ctx.clock);
  return inTransaction(ctx, async ({ em, clock, jobs, providers }) => {
    const server = isId('vps', serverId) ? await lockServer(em, serverId) : undefined;
    if (!server || server.accountId !== accountId) throw fail('server_not_found');
    const running = await runningOperation(em, serverId);
    mustAllow(action, factsOf(server, running));
    if (!providers.datacenter) throw fail('servers_not_sold');
    const at = clock.now();
    // The way out of every power state that hangs: what hangs is over.
    if (running) await endOperation(em, running, at, { code: 'superseded', message: 'The server was forced to stop.' });
    const { command, meanwhile } = COMMANDS_OF[action];
    const secretSealed = action === 'reset_password' ? seal(newPassword(), providers.sealing, passwordPlace(serverId)) : undefined;
    await insertOperation(em, { ...{ id, serverId, accountId, command, at }, ...(secretSealed && { secretSealed }) });
    if (meanwhile) await updateServer(em, serverId, { powerState: meanwhile });
    await appendEvents(em, { type: 'compute_vps.changed', at, accountId, subject: serverId, data: { operationId: id } });
    await jobs.enqueue(em, 'compute.operation-continue', { operationId: id }, { key: id });
    const [operation] = await operationsByIds(em, [id]);
    if (!operation) throw new Error(`operation ${id} was not begun`);
    return operation;
  });
}

/** The password that a server was given, to its owner alone. Errors: server_not_found, action_not_allowed while it is being built. */
export async function revealPassword(ctx: ComputeContext, serverId: string): Promise<string> {
  const [server] = isId('vps', serverId) ? await serversByIds(ctx.em, [serverId]) : [];
  if (!server || server.accountId !== accountOf(ctx)) throw fail('server_not_found');
  if (server.status === 'BUILDING' || server.status === 'REMOVED' || !server.passwordSealed)
    throw fail('action_not_allowed', { reason: 'The server has no password to show now.' });
  return unseal(server.passwordSealed, ctx.providers.sealing, passwordPlace(serverId));
}
