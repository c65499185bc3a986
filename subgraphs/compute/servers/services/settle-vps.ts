// Makes a VPS what its owner has bought or lost: whatever it still lacks is begun, one thing at a time, until nothing is lacking.
import { inTransaction } from '#platform/database.ts';
import type { ComputeContext } from '../../builder.ts';
import type { PowerState } from '../domain/server-action.ts';
import type { VpsCommand } from '../../operations/domain/vps-operation.ts';
import { nextWant } from '../domain/vps-want.ts';
import { backupsOfServer } from '../../backups/entities/backup.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, lockServer, unsettledVps, updateServer } from '../entities/server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';

/** The power state while each goes on; a machine that is off stays so while it is changed. */
const MEANWHILE: Partial<Record<VpsCommand, PowerState>> = {
  SUSPEND: 'STOPPING',
  RESUME: 'STARTING',
  UPGRADE: 'RESTARTING',
  ADD_ADDRESSES: 'RESTARTING',
};

/** Begins what a VPS lacks, in the transaction of `ctx.em`, which holds its lock. What is under way comes to its end first. */
export async function settleVps(ctx: ComputeContext, server: ServerRow): Promise<void> {
  const { em, clock } = ctx;
  if (await runningOperation(em, server.id)) return;
  const now = clock.now();
  const backups = await backupsOfServer(em, server.id);
  const command = nextWant(
    {
      ...server,
      addressesWanted: 1 + server.extraIpv4,
      addressesHeld: server.ipv4.length,
      hasMachine: server.machineNumber !== null,
      hasExpiredBackup: backups.some(({ expiresAt }) => expiresAt !== null && expiresAt <= now),
    },
    now,
  );
  if (!command) return;
  const meanwhile = MEANWHILE[command];
  if (meanwhile && (server.powerState !== 'STOPPED' || command === 'RESUME')) await updateServer(em, server.id, { powerState: meanwhile });
  await beginOperation(ctx, server, { command, scheduled: command === 'BACKUP' });
}

const BATCH_SIZE = 200;

/** Every VPS that may lack something. */
export async function settleEveryVps(ctx: ComputeContext): Promise<void> {
  if (!ctx.providers.datacenter) return;
  for (const id of await unsettledVps(ctx.em, ctx.clock.now(), BATCH_SIZE))
    await inTransaction(ctx, async (tx) => {
      const server = await lockServer(tx.em, id);
      if (server) await settleVps(tx, server);
    });
}
