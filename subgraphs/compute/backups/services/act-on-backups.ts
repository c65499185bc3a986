// What owners do with their backups.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { MachinesContext } from '../../machines/context.ts';
import { backupsOfServer } from '../entities/backup.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { updateServer } from '../../servers/entities/server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { type Asked, actOnServer } from '../../servers/services/act-on-server.ts';
import { beginOnce } from '../../servers/services/begin-once.ts';
import { lockOwnVps } from '../../servers/services/server-facts.ts';

/** Begins a backup of the caller's VPS now, apart from the schedule. Errors: server_not_found, action_not_allowed, servers_not_sold. */
export const takeBackup = (ctx: MachinesContext, serverId: string): Promise<OperationRow> =>
  actOnServer(ctx, 'take_backup', { serverId, kind: 'VPS' });

/**
 * Begins to replace the whole VPS by a backup; the owner types `hostname` to confirm it. Errors: those above, backup_not_found, parameter_invalid,
 * idempotency_conflict.
 */
export function restoreBackup(
  ctx: MachinesContext,
  { backupId, hostname }: { backupId: string; hostname: string },
  { serverId, idempotencyKey: key }: Asked,
): Promise<OperationRow> {
  const begin = async (tx: MachinesContext): Promise<OperationRow> => {
    const server = await lockOwnVps(tx, serverId, 'restore');
    const backup = (await backupsOfServer(tx.em, serverId)).find(({ id }) => id === backupId);
    if (!backup) throw fail('backup_not_found');
    if (hostname.trim().toLowerCase() !== server.hostname)
      throw fail('parameter_invalid', { field: 'hostname', reason: because('hostname_unconfirmed', { hostname: server.hostname }) });
    await updateServer(tx.em, serverId, { powerState: 'RESTARTING' });
    return beginOperation(tx, server, { command: 'RESTORE', backupId });
  };
  return inTransaction(ctx, (tx) => beginOnce(tx, { key, request: ['restore', serverId, backupId, hostname] }, () => begin(tx)));
}
