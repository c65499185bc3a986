// Makes a dedicated server what its subscription says: off while it is suspended, on again when it is paid, wiped when it has ended.
import { inTransaction } from '#platform/database.ts';
import type { ComputeContext } from '../../builder.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, lockServer, unsettledDedicated, updateServer } from '../entities/server.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { decommission } from '../../operations/services/dedicated-operation.ts';

/** In the transaction of `ctx.em`, which holds the server's lock. What is under way comes to its end first. */
export async function settleDedicated(ctx: ComputeContext, server: ServerRow): Promise<void> {
  if (await runningOperation(ctx.em, server.id)) return;
  const { status, powerState, runWhenResumed } = server;
  if (status === 'DECOMMISSIONED' && server.ipv4.length > 0) {
    await decommission(ctx, server);
  } else if (status === 'SUSPENDED' && powerState !== 'STOPPED') {
    await updateServer(ctx.em, server.id, { powerState: 'STOPPING' });
    await beginOperation(ctx, server, { command: 'SUSPEND' });
  } else if (status === 'ACTIVE' && runWhenResumed) {
    await updateServer(ctx.em, server.id, { powerState: 'STARTING', runWhenResumed: false });
    await beginOperation(ctx, server, { command: 'START' });
  }
}

const BATCH_SIZE = 200;

/** Every dedicated server that may not be so yet. */
export async function settleEveryDedicated(ctx: ComputeContext): Promise<void> {
  for (const id of await unsettledDedicated(ctx.em, BATCH_SIZE))
    await inTransaction(ctx, async (tx) => {
      const server = await lockServer(tx.em, id);
      if (server) await settleDedicated(tx, server);
    });
}
