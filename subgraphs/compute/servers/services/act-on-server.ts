// What owners ask of their servers.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { seal, unseal } from '#platform/sealing.ts';
import type { ServersContext } from '../context.ts';
import type { Command, ServerKind } from '../../operations/domain/operation.ts';
import type { PowerState, ServerAction } from '../domain/server-action.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { type ServerRow, serversByIds, updateServer } from '../entities/server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { isServerId, lockOwnServer, mustBeOwn } from './server-facts.ts';
import { checkServerPassword, newPassword, passwordPlace } from '../domain/server-secrets.ts';
import { checkServerKeys } from '../../ssh-keys/domain/server-keys.ts';
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { statusAfter } from '../domain/server-lifecycle.ts';

interface ActionTerms {
  command: Command;
  /** The power state while it goes on; null: as it is. */
  meanwhile: PowerState | null;
  /** It sets a new password. */
  password?: true;
  /** What is under way is over: the way out of every power state that hangs. */
  supersede?: string;
}

/** The actions that owners begin here. */
const OWNERS_ACTIONS = {
  start: { command: 'START', meanwhile: 'STARTING' },
  reboot: { command: 'REBOOT', meanwhile: 'RESTARTING' },
  stop: { command: 'STOP', meanwhile: 'STOPPING' },
  force_stop: { command: 'FORCE_STOP', meanwhile: 'STOPPING', supersede: 'The server was forced to stop.' },
  reset_password: { command: 'RESET_PASSWORD', meanwhile: null, password: true },
  rescue: { command: 'RESCUE', meanwhile: 'RESTARTING', password: true },
  leave_rescue: { command: 'RESCUE_END', meanwhile: 'RESTARTING' },
} as const satisfies Partial<Record<ServerAction, ActionTerms>>;
export type OwnersAction = keyof typeof OWNERS_ACTIONS;

/** Begins an action of the caller's server, of this kind if one is named. Errors: server_not_found, action_not_allowed, servers_not_sold. */
export function actOnServer(ctx: ServersContext, serverId: string, action: OwnersAction, kind?: ServerKind): Promise<OperationRow> {
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, action, kind);
    const { command, meanwhile, password, supersede }: ActionTerms = OWNERS_ACTIONS[action];
    // A machine without an agent of ours is given its password by a medium that it boots.
    const during = command === 'RESET_PASSWORD' && server.kind === 'DEDICATED' ? 'RESTARTING' : meanwhile;
    if (during) await updateServer(tx.em, serverId, { powerState: during });
    return beginOperation(tx, server, {
      command,
      ...(password && { secretSealed: seal(newPassword(), tx.providers.sealing, passwordPlace(serverId)) }),
      ...(supersede !== undefined && { supersede }),
    });
  });
}

export interface Reinstall {
  os: OperatingSystem;
  /** Absent: one is generated. */
  password?: string;
  /** Those of a VPS from now on; absent: those that it has. */
  sshKeys?: string[];
}

/**
 * Wipes the caller's server and installs a system anew. Spec, States: Dedicated; a VPS stays Active meanwhile, and keeps its addresses and backups. Errors:
 * server_not_found, action_not_allowed, parameter_invalid.
 */
export function reinstallServer(
  ctx: ServersContext,
  serverId: string,
  kind: ServerKind,
  { os, password, sshKeys }: Reinstall,
): Promise<OperationRow> {
  const chosen = password === undefined ? newPassword() : checkServerPassword(password);
  const keys = sshKeys && checkServerKeys(sshKeys, os);
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, 'reinstall', kind);
    const status = kind === 'DEDICATED' ? statusAfter(server, 'reinstall_started') : undefined;
    // What was on it is given up here and now, so the new system's facts are the server's.
    await updateServer(tx.em, serverId, {
      os,
      loginName: OPERATING_SYSTEMS[os].loginName,
      powerState: 'RESTARTING',
      ...(status && { status }),
      ...(keys && { sshKeys: keys }),
    });
    const secretSealed = seal(chosen, tx.providers.sealing, passwordPlace(serverId));
    return beginOperation(tx, server, { command: 'REINSTALL', secretSealed });
  });
}

/** The caller's own server, of this kind if one is named, to be read or followed: support has none. Errors: server_not_found. */
export async function ownServer(ctx: ServersContext, serverId: string, kind?: ServerKind): Promise<ServerRow> {
  return mustBeOwn(ctx, isServerId(serverId) ? (await serversByIds(ctx.em, [serverId]))[0] : undefined, kind);
}

const LIVING: readonly ServerRow['status'][] = ['ACTIVE', 'SUSPENDED'];

/** The password that a server was given, to its owner alone. Errors: server_not_found, action_not_allowed while there is none. */
export async function revealPassword(ctx: ServersContext, serverId: string, kind: ServerKind): Promise<string> {
  const server = await ownServer(ctx, serverId, kind);
  if (!LIVING.includes(server.status) || !server.passwordSealed)
    throw fail('action_not_allowed', { reason: because('server_password_hidden') });
  return unseal(server.passwordSealed, ctx.providers.sealing, passwordPlace(serverId));
}

/** The one-time password of the rescue system, while that runs. Errors: server_not_found, action_not_allowed. */
export async function revealRescuePassword(ctx: ServersContext, serverId: string): Promise<string> {
  const server = await ownServer(ctx, serverId);
  if (!LIVING.includes(server.status) || !server.rescuePasswordSealed)
    throw fail('action_not_allowed', { reason: because('rescue_not_running') });
  return unseal(server.rescuePasswordSealed, ctx.providers.sealing, passwordPlace(serverId));
}
