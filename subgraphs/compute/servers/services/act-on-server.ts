// What owners do with their servers.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { seal, unseal } from '#platform/sealing.ts';
import type { ServersContext } from '../context.ts';
import type { Command, ServerKind } from '../../operations/domain/operation.ts';
import type { PowerState, ServerAction } from '../domain/server-action.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { type ServerRow, serversByIds, updateServer } from '../entities/server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { beginOnce } from './begin-once.ts';
import { isServerId, lockOwnServer, mustBeOwn } from './server-facts.ts';
import { checkServerPassword, newPassword, passwordPlace } from '../domain/server-secrets.ts';
import { checkServerKeys } from '../../ssh-keys/domain/server-keys.ts';
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { statusAfter } from '../domain/server-lifecycle.ts';

interface ActionTerms {
  command: Command;
  /** The power state while it runs; null: unchanged. */
  meanwhile: PowerState | null;
  /** It sets a new password. */
  password?: true;
  /** It replaces a running operation, for this reason: a force stop must end every power state that hangs. */
  supersede?: string;
}

/** The owners' actions that begin here. */
const OWNERS_ACTIONS = {
  start: { command: 'START', meanwhile: 'STARTING' },
  reboot: { command: 'REBOOT', meanwhile: 'RESTARTING' },
  stop: { command: 'STOP', meanwhile: 'STOPPING' },
  force_stop: { command: 'FORCE_STOP', meanwhile: 'STOPPING', supersede: 'The server was forced to stop.' },
  reset_password: { command: 'RESET_PASSWORD', meanwhile: null, password: true },
  rescue: { command: 'RESCUE', meanwhile: 'RESTARTING', password: true },
  leave_rescue: { command: 'RESCUE_END', meanwhile: 'RESTARTING' },
  take_backup: { command: 'BACKUP', meanwhile: null },
} as const satisfies Partial<Record<ServerAction, ActionTerms>>;
export type OwnersAction = keyof typeof OWNERS_ACTIONS;

/** The server that is meant, and how often it is asked. */
export interface Asked {
  serverId: string;
  /** The kind that it must be of. */
  kind?: ServerKind;
  /** With the same key and the same request, the operation that the first one began is returned. */
  idempotencyKey?: string | undefined;
}

/** Begins an action on the caller's server. Errors: server_not_found, action_not_allowed, servers_not_sold, parameter_invalid, idempotency_conflict. */
export function actOnServer(
  ctx: ServersContext,
  action: OwnersAction,
  { serverId, kind, idempotencyKey: key }: Asked,
): Promise<OperationRow> {
  const begin = async (tx: ServersContext): Promise<OperationRow> => {
    const server = await lockOwnServer(tx, serverId, action, kind);
    const { command, meanwhile, password, supersede }: ActionTerms = OWNERS_ACTIONS[action];
    // A dedicated machine has no agent of ours: it boots a medium that sets the password.
    const during = command === 'RESET_PASSWORD' && server.kind === 'DEDICATED' ? 'RESTARTING' : meanwhile;
    if (during) await updateServer(tx.em, serverId, { powerState: during });
    return beginOperation(tx, server, {
      command,
      ...(password && { secretSealed: seal(newPassword(), tx.providers.sealing, passwordPlace(serverId)) }),
      ...(supersede !== undefined && { supersede }),
    });
  };
  return inTransaction(ctx, (tx) => beginOnce(tx, { key, request: [action, serverId] }, () => begin(tx)));
}

export interface Reinstall {
  os: OperatingSystem;
  /** Absent: one is generated. */
  password?: string;
  /** The SSH keys of a VPS from now on; absent: unchanged. A dedicated server takes none. */
  sshKeys?: string[];
}

/**
 * Wipes the caller's server and installs a system. Spec, States: Dedicated; a VPS stays ACTIVE meanwhile, and keeps its addresses and backups. Errors:
 * server_not_found, action_not_allowed, parameter_invalid, idempotency_conflict.
 */
export function reinstallServer(
  ctx: ServersContext,
  { os, password, sshKeys }: Reinstall,
  { serverId, kind, idempotencyKey: key }: Asked,
): Promise<OperationRow> {
  const chosen = password === undefined ? newPassword() : checkServerPassword(password);
  const keys = sshKeys && checkServerKeys(sshKeys, os);
  const begin = async (tx: ServersContext): Promise<OperationRow> => {
    const server = await lockOwnServer(tx, serverId, 'reinstall', kind);
    if (keys && server.kind === 'DEDICATED') throw fail('parameter_invalid', { field: 'sshKeys', reason: because('action_of_other_kind') });
    return beginReinstall(tx, server, { os, password: chosen, ...(keys && { sshKeys: keys }) });
  };
  return inTransaction(ctx, (tx) => beginOnce(tx, { key, request: ['reinstall', serverId, os, password, sshKeys] }, () => begin(tx)));
}

/** Begins to wipe a server that the caller has locked, and to install a system on it. */
export async function beginReinstall(
  ctx: ServersContext,
  server: ServerRow,
  { os, password = newPassword(), sshKeys }: Reinstall,
): Promise<OperationRow> {
  const status = server.kind === 'DEDICATED' ? statusAfter(server, 'reinstall_started') : undefined;
  // The old system is given up from here on, so the row has the facts of the new one at once.
  await updateServer(ctx.em, server.id, {
    os,
    loginName: OPERATING_SYSTEMS[os].loginName,
    powerState: 'RESTARTING',
    ...(status && { status }),
    ...(sshKeys && { sshKeys }),
  });
  const secretSealed = seal(password, ctx.providers.sealing, passwordPlace(server.id));
  return beginOperation(ctx, server, { command: 'REINSTALL', secretSealed });
}

/** The caller's own server, for reading or subscribing; it must be of `kind` if that is given. Staff get no other account's server here. Errors: server_not_found. */
export async function ownServer(ctx: ServersContext, serverId: string, kind?: ServerKind): Promise<ServerRow> {
  return mustBeOwn(ctx, isServerId(serverId) ? (await serversByIds(ctx.em, [serverId]))[0] : undefined, kind);
}

const LIVING: readonly ServerRow['status'][] = ['ACTIVE', 'SUSPENDED'];

/** The password of a server, for its owner only. Errors: server_not_found, action_not_allowed while there is none. */
export async function revealPassword(ctx: ServersContext, serverId: string, kind: ServerKind): Promise<string> {
  const server = await ownServer(ctx, serverId, kind);
  if (!LIVING.includes(server.status) || !server.passwordSealed)
    throw fail('action_not_allowed', { reason: because('server_password_hidden') });
  return unseal(server.passwordSealed, ctx.providers.sealing, passwordPlace(serverId));
}

/** The one-time password of the rescue system, while it runs. Errors: server_not_found, action_not_allowed. */
export async function revealRescuePassword(ctx: ServersContext, serverId: string): Promise<string> {
  const server = await ownServer(ctx, serverId);
  if (!LIVING.includes(server.status) || !server.rescuePasswordSealed)
    throw fail('action_not_allowed', { reason: because('rescue_not_running') });
  return unseal(server.rescuePasswordSealed, ctx.providers.sealing, passwordPlace(serverId));
}
