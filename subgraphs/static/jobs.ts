import { costJob } from '#commerce/costs/count-costs.ts';
import { repricingJob } from '#commerce/repricing/reprice.ts';
import type { JobTable } from '#platform/jobs.ts';
import { undeliveredAdditions } from './plans/entities/addition.ts';
import { undeliveredPlanIds } from './plans/entities/static-plan.ts';
import type { StaticContext } from './providers.ts';
import { checkHealth } from './health/services/check-health.ts';
import { REPRICED_PLANS } from './plans/services/repriced-plans.ts';
import { countCosts } from './plans/services/count-costs.ts';
import { creditOutages } from './plans/services/credit-outages.ts';
import { deliverAddition } from './delivery/services/deliver-addition.ts';
import { deliverPlan } from './delivery/services/deliver-plan.ts';
import { sweepHolds } from './inventory/services/hold-stock.ts';
import { replaceFailing } from './delivery/services/replace-failing.ts';
import { notifyOfStock } from './inventory/services/stock-wishes.ts';

export const jobs: JobTable<StaticContext> = [
  {
    name: 'static.plan-deliver',
    async run(ctx, { planId }: { planId: string }, complete) {
      await deliverPlan(ctx, planId, complete);
    },
  },
  {
    name: 'static.addition-deliver',
    async run(ctx, { orderId }: { orderId: string }) {
      await deliverAddition(ctx, orderId);
    },
  },
  {
    // Retries plans and additions that wait for stock, or whose own job was lost; those that have waited too long are given up.
    name: 'static.plan-deliver-pending',
    cron: '* * * * *',
    async run(ctx) {
      for (const planId of await undeliveredPlanIds(ctx.em))
        if ((await deliverPlan(ctx, planId)) === 'out_of_stock') ctx.log.warn({ planId }, 'a static plan waits for stock');
      for (const orderId of await undeliveredAdditions(ctx.em))
        if ((await deliverAddition(ctx, orderId)) === 'out_of_stock') ctx.log.warn({ orderId }, 'bought addresses wait for stock');
    },
  },
  {
    name: 'static.stock-sweep',
    cron: '* * * * *',
    async run(ctx) {
      await sweepHolds(ctx);
      await notifyOfStock(ctx);
    },
  },
  {
    name: 'static.health-check',
    cron: '* * * * *',
    async run(ctx) {
      await checkHealth(ctx);
      await replaceFailing(ctx);
    },
  },
  repricingJob('static', REPRICED_PLANS),
  costJob('static', 2, countCosts),
  { name: 'static.outages-credit', cron: '*/5 * * * *', run: (ctx) => creditOutages(ctx) },
];
