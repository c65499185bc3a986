// What happens at dedicated machines without us is noticed: their owners switch them off from inside, somebody presses a button.
import { inTransaction } from '#platform/database.ts';
import type { ComputeContext } from '../../builder.ts';
import { machinesOfServers } from '../../machines/entities/bare-metal.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { lockServer, settledDedicated, updateServer } from '../entities/server.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { controllerOf } from '../../operations/services/dedicated-steps.ts';
import { announceChange } from '../../operations/services/operation-way.ts';

/** Controllers asked at once; each is a computer of its own. */
const CONCURRENCY = 16;

/** Compares the power of every settled server with its controller, once. */
export async function reconcileMetal(ctx: ComputeContext): Promise<void> {
  const servers = await settledDedicated(ctx.em);
  const machines = await machinesOfServers(
    ctx.em,
    servers.map(({ id }) => id),
  );
  for (let from = 0; from < servers.length; from += CONCURRENCY)
    await Promise.all(
      servers.slice(from, from + CONCURRENCY).map(async ({ id, powerState }) => {
        const machine = machines.find(({ serverId }) => serverId === id);
        const ref = machine && controllerOf(ctx, machine);
        const power = ref && (await ctx.providers.metal?.bareMetal.inspect(ref).catch(silence))?.power;
        if (power === undefined || power === 'changing') return;
        const real = power === 'on' ? 'RUNNING' : 'STOPPED';
        if (real === powerState) return;
        await inTransaction({ ...ctx, em: ctx.em.fork() as ComputeContext['em'] }, async (tx) => {
          const locked = await lockServer(tx.em, id);
          if (!locked || locked.powerState !== powerState || (await runningOperation(tx.em, id))) return;
          await updateServer(tx.em, id, { powerState: real });
          await announceChange(tx, locked);
        });
      }),
    );
}

function silence(error: unknown): undefined {
  if (!(error instanceof VendorTrouble)) throw error;
  return undefined;
}
