// The facts by which the table of actions decides about a server.
import type { ActionVerdict } from '#platform/action-verdict.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { ServersContext } from '../context.ts';
import type { ServerKind } from '../../operations/domain/operation.ts';
import { type ServerAction, type ServerFacts, availableActions, mustAllow } from '../domain/server-action.ts';
import { type VpsCommand, isWhole } from '../../operations/domain/vps-operation.ts';
import { type OperationRow, runningOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, lockServer } from '../entities/server.ts';

export const factsOf = (server: ServerRow, running: OperationRow | undefined): ServerFacts => ({
  kind: server.kind,
  status: server.status,
  powerState: server.powerState,
  cancelAtPeriodEnd: server.cancelAtPeriodEnd,
  backups: server.backups,
  protected: server.protected,
  inRescue: server.rescuePasswordSealed !== null,
  byHand: server.byHand,
  busy: running !== undefined,
  whole: running !== undefined && server.kind === 'VPS' && isWhole(running.command as VpsCommand),
});

/** The same at this moment, with what this platform has for it. */
const factsNow = async ({ em, providers }: ServersContext, server: ServerRow): Promise<ServerFacts> => ({
  ...factsOf(server, await runningOperation(em, server.id)),
  unguarded: server.kind === 'DEDICATED' && !providers.border,
});

/** Every action of this kind of server, with its verdict now. */
export async function actionsOf(ctx: ServersContext, server: ServerRow): Promise<ActionVerdict[]> {
  return availableActions(await factsNow(ctx, server));
}

/** Whether an id can be a server's at all: the database is not asked about any other. */
export const isServerId = (id: string): boolean => isId('vps', id) || isId('ded', id);

/** Another account's server, one of another kind and none at all are the same. Errors: server_not_found. */
export function mustBeOwn(ctx: ServersContext, server: ServerRow | undefined, kind?: ServerKind): ServerRow {
  if (!server || server.accountId !== accountOf(ctx) || (kind && server.kind !== kind)) throw fail('server_not_found');
  return server;
}

/** The caller's server, of this kind if one is named, locked, if this may be asked of it now. Errors: server_not_found, action_not_allowed, servers_not_sold. */
export async function lockOwnServer(ctx: ServersContext, serverId: string, action: ServerAction, kind?: ServerKind): Promise<ServerRow> {
  const server = await lockOwn(ctx, serverId, kind);
  mustAllow(action, await factsNow(ctx, server));
  if (server.kind === 'VPS' && !ctx.providers.datacenter) throw fail('servers_not_sold');
  return server;
}

/** The caller's server, of this kind if one is named, locked. Errors: server_not_found. */
export async function lockOwn(ctx: ServersContext, serverId: string, kind?: ServerKind): Promise<ServerRow> {
  return mustBeOwn(ctx, isServerId(serverId) ? await lockServer(ctx.em, serverId) : undefined, kind);
}

/** The same of a VPS alone. */
export const lockOwnVps = (ctx: ServersContext, serverId: string, action: ServerAction): Promise<ServerRow> =>
  lockOwnServer(ctx, serverId, action, 'VPS');
