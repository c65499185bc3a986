// The facts of a server that the table of actions depends on.
import { type ActionVerdict, verdictsFor } from '#platform/action-verdict.ts';
import { ownerOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { ServersContext } from '../context.ts';
import type { ServerKind } from '../../operations/domain/operation.ts';
import { type ServerAction, type ServerFacts, availableActions, mustAllow, permissionFor } from '../domain/server-action.ts';
import type { StaffFacts } from '../domain/staff-action.ts';
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
  halted: server.accountSuspended,
  busy: running !== undefined,
  whole: running !== undefined && server.kind === 'VPS' && isWhole(running.command as VpsCommand),
});

/** The same, with the running operation and the systems that this platform has. */
const factsNow = async ({ em, providers }: ServersContext, server: ServerRow): Promise<ServerFacts> => ({
  ...factsOf(server, await runningOperation(em, server.id)),
  unguarded: server.kind === 'DEDICATED' && !providers.border,
});

/** The facts that decide what staff may do with a server. */
export const staffFacts = async (ctx: ServersContext, server: ServerRow): Promise<StaffFacts> => ({
  ...(await factsNow(ctx, server)),
  haltedByStaff: server.haltedAt !== null,
});

/** Every action of this kind of server, and whether it is allowed now. */
export async function actionsOf(ctx: ServersContext, server: ServerRow): Promise<ActionVerdict[]> {
  return verdictsFor(ctx.viewer, availableActions(await factsNow(ctx, server)), permissionFor);
}

/** Whether an id has the form of a server's; the database is not queried for others. */
export const isServerId = (id: string): boolean => isId('vps', id) || isId('ded', id);

/** Throws for another account's server, and for one of another kind, as for an unknown one. Errors: server_not_found. */
export function mustBeOwn(ctx: ServersContext, server: ServerRow | undefined, kind?: ServerKind): ServerRow {
  if (!server || server.accountId !== ownerOf(ctx, server.id) || (kind && server.kind !== kind)) throw fail('server_not_found');
  return server;
}

/** Locks the caller's server, which must be of `kind` if that is given, if the action is allowed now. Errors: server_not_found, action_not_allowed, servers_not_sold. */
export async function lockOwnServer(ctx: ServersContext, serverId: string, action: ServerAction, kind?: ServerKind): Promise<ServerRow> {
  const server = await lockOwn(ctx, serverId, kind);
  mustAllow(action, await factsNow(ctx, server));
  if (server.kind === 'VPS' && !ctx.providers.datacenter) throw fail('servers_not_sold');
  return server;
}

/** Locks the caller's server, which must be of `kind` if that is given. Errors: server_not_found. */
export async function lockOwn(ctx: ServersContext, serverId: string, kind?: ServerKind): Promise<ServerRow> {
  return mustBeOwn(ctx, isServerId(serverId) ? await lockServer(ctx.em, serverId) : undefined, kind);
}

/** The same for a VPS only. */
export const lockOwnVps = (ctx: ServersContext, serverId: string, action: ServerAction): Promise<ServerRow> =>
  lockOwnServer(ctx, serverId, action, 'VPS');
