import type { JobTable } from '#platform/jobs.ts';
import type { ComputeContext } from './builder.ts';
import { dueOperations } from './entities/operation.ts';
import { runOperation } from './services/continue-operation.ts';
import { applyFirewall, sweepFirewalls } from './services/firewall.ts';
import { applyReverseName, sweepReverseNames } from './services/reverse-names.ts';
import { reconcileMachines } from './services/reconcile.ts';
import { sampleMetalUse } from './services/metal-use.ts';
import { reconcileMetal } from './services/reconcile-metal.ts';
import { sweepHolds } from './services/order-dedicated.ts';
import { settleEveryDedicated } from './services/settle-dedicated.ts';
import { settleEveryVps } from './services/settle-vps.ts';

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
  // What was bought, lost or is due by the clock, and could not begin at its moment.
  { name: 'compute.vps-settle', cron: '* * * * *', run: (ctx) => settleEveryVps(ctx) },
  {
    name: 'compute.reverse-name-set',
    async run(ctx, { ip, serverId }: { ip: string; serverId: string }) {
      await applyReverseName(ctx, ip, serverId);
    },
  },
  { name: 'compute.reverse-names-sweep', cron: '* * * * *', run: (ctx) => sweepReverseNames(ctx) },
  {
    name: 'compute.firewall-set',
    async run(ctx, { serverId }: { serverId: string }) {
      await applyFirewall(ctx, serverId);
    },
  },
  { name: 'compute.firewalls-sweep', cron: '* * * * *', run: (ctx) => sweepFirewalls(ctx) },
  { name: 'compute.dedicated-settle', cron: '* * * * *', run: (ctx) => settleEveryDedicated(ctx) },
  { name: 'compute.stock-sweep', cron: '* * * * *', run: (ctx) => sweepHolds(ctx) },
  { name: 'compute.metal-use', cron: '* * * * *', run: (ctx) => sampleMetalUse(ctx) },
  { name: 'compute.metal-reconcile', cron: '* * * * *', run: (ctx) => reconcileMetal(ctx) },
  { name: 'compute.machines-reconcile', cron: '* * * * *', run: (ctx) => reconcileMachines(ctx) },
];
