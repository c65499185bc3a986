import type { JobTable } from '#shared/jobs.ts';
import type { ComputeContext } from './builder.ts';
import { dueOperations } from './entities/operation.ts';
import { runOperation } from './services/continue-operation.ts';
import { reconcileMachines } from './services/reconcile.ts';

const AT_ONCE = 200;

export const jobs: JobTable<ComputeContext> = [
  {
    name: 'compute.operation-continue',
    async run(ctx, { operationId }: { operationId: string }) {
      await runOperation(ctx, operationId);
    },
  },
  {
    // Whatever nobody has in hand, also after a crash of everything.
    name: 'compute.operations-sweep',
    cron: '* * * * *',
    async run(ctx) {
      for (const operationId of await dueOperations(ctx.em, ctx.clock.now(), AT_ONCE)) await runOperation(ctx, operationId);
    },
  },
  { name: 'compute.machines-reconcile', cron: '* * * * *', run: (ctx) => reconcileMachines(ctx) },
];
