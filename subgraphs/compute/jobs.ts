import { costJob } from '#commerce/costs/count-costs.ts';
import { repricingJob } from '#commerce/repricing/reprice.ts';
import type { JobTable } from '#platform/jobs.ts';
import type { ComputeContext } from './providers.ts';
import { dueOperations } from './operations/entities/operation.ts';
import { runOperation } from './provisioning/services/continue-operation.ts';
import { applyFirewall, sweepFirewalls } from './networking/services/firewall.ts';
import { applyReverseName, sweepReverseNames } from './networking/services/reverse-names.ts';
import { reconcileMachines, reconcileMetal } from './provisioning/services/reconcile.ts';
import { sampleMetalUse } from './metrics/services/metal-use.ts';
import { REPRICED_SERVERS } from './orders/services/repriced-servers.ts';
import { countCosts } from './orders/services/count-costs.ts';
import { sweepHolds } from './orders/services/order-dedicated.ts';
import { forgetRequests } from './servers/services/begin-once.ts';
import { settleServers } from './provisioning/services/settle.ts';

const BATCH_SIZE = 200;

export const jobs: JobTable<ComputeContext> = [
  {
    name: 'compute.operation-continue',
    async run(ctx, { operationId }: { operationId: string }) {
      await runOperation(ctx, operationId);
    },
  },
  {
    // Continues operations that no process has claimed, for example after a crash.
    name: 'compute.operations-sweep',
    cron: '* * * * *',
    async run(ctx) {
      for (const operationId of await dueOperations(ctx.em, ctx.clock.now(), BATCH_SIZE)) await runOperation(ctx, operationId);
    },
  },
  // Begins operations that follow from a purchase, an end or the clock, and could not begin at their moment.
  { name: 'compute.vps-settle', cron: '* * * * *', run: (ctx) => settleServers(ctx, 'VPS') },
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
  { name: 'compute.dedicated-settle', cron: '* * * * *', run: (ctx) => settleServers(ctx, 'DEDICATED') },
  { name: 'compute.stock-sweep', cron: '* * * * *', run: (ctx) => sweepHolds(ctx) },
  { name: 'compute.requests-forget', cron: '29 * * * *', run: (ctx) => forgetRequests(ctx) },
  repricingJob('compute', REPRICED_SERVERS),
  // Each day once: which plan and extras a server had on earlier days is not known.
  costJob('compute', 0, countCosts),
  { name: 'compute.metal-use', cron: '* * * * *', run: (ctx) => sampleMetalUse(ctx) },
  { name: 'compute.metal-reconcile', cron: '* * * * *', run: (ctx) => reconcileMetal(ctx) },
  { name: 'compute.machines-reconcile', cron: '* * * * *', run: (ctx) => reconcileMachines(ctx) },
];
