import type { JobTable } from '#shared/jobs.ts';
import type { StaticContext } from './builder.ts';
import { undeliveredPlanIds } from './entities/static-plan.ts';
import { deliverPlan } from './services/deliver-plan.ts';

export const jobs: JobTable<StaticContext> = [
  {
    name: 'static.plan-deliver',
    async run(ctx, { planId }: { planId: string }, complete) {
      await deliverPlan(ctx, planId, complete);
    },
  },
  {
    // Plans that waited for stock, and those whose own job was lost.
    name: 'static.plan-deliver-pending',
    cron: '* * * * *',
    async run(ctx) {
      for (const planId of await undeliveredPlanIds(ctx.em))
        if ((await deliverPlan(ctx, planId)) === 'out_of_stock') ctx.log.warn({ planId }, 'a static plan waits for stock');
    },
  },
];
