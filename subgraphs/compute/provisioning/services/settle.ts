// Makes a server what its owner has bought or lost: begins what it lacks, one operation at a time, until nothing is lacking.
import { inTransaction } from '#platform/database.ts';
import { backupsOfServer } from '../../backups/entities/backup.ts';
import type { ProvisioningContext } from '../context.ts';
import type { ServerKind } from '../../operations/domain/operation.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { type ServerRow, lockServer, unsettledServers, updateServer } from '../../servers/entities/server.ts';
import { nextWant } from '../domain/want.ts';
import { takeDown } from './take-down.ts';

/** Begins what a server lacks, in the transaction of `ctx.em`, which has locked the server. While an operation runs it does nothing. */
export async function settleServer(ctx: ProvisioningContext, server: ServerRow): Promise<void> {
  const { em, clock } = ctx;
  if (await runningOperation(em, server.id)) return;
  const now = clock.now();
  const backups = server.kind === 'VPS' ? await backupsOfServer(em, server.id) : [];
  const facts = {
    ...server,
    addressesWanted: 1 + server.extraIpv4,
    addressesHeld: server.ipv4.length,
    hasMachine: server.machineNumber !== null,
    hasExpiredBackup: backups.some(({ expiresAt }) => expiresAt !== null && expiresAt <= now),
  };
  const want = nextWant(server.kind, facts, now);
  if (!want) return;
  const { command, meanwhile } = want;
  if (command === 'RELEASE' || command === 'DECOMMISSION') return takeDown(ctx, server);
  await updateServer(em, server.id, {
    ...(meanwhile && (server.powerState !== 'STOPPED' || meanwhile === 'STARTING') && { powerState: meanwhile }),
    ...(command === 'START' && { runWhenResumed: false }),
    // A server that its owner had switched off stays off afterwards; for an unpaid one this was noted before.
    ...(command === 'SUSPEND' && server.status === 'ACTIVE' && { runWhenResumed: true }),
  });
  await beginOperation(ctx, server, { command, scheduled: command === 'BACKUP' });
}

const BATCH_SIZE = 200;

/** Settles all servers of a kind that may lack something. */
export async function settleServers(ctx: ProvisioningContext, kind: ServerKind): Promise<void> {
  if (kind === 'VPS' && !ctx.providers.datacenter) return;
  for (const id of await unsettledServers(ctx.em, kind, ctx.clock.now(), BATCH_SIZE))
    await inTransaction(ctx, async (tx) => {
      const server = await lockServer(tx.em, id);
      if (server) await settleServer(tx, server);
    });
}
