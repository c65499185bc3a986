import { inTransaction } from '#platform/database.ts';
import { because, sentenceOf } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { CURRENCY } from '#commerce/money.ts';
import { SLA_BASIS_POINTS } from '../../health/domain/health.ts';
import { creditOf } from '../../health/domain/sla-credit.ts';
import { endedOutages, markCounted, plansWithUncountedOutages } from '../../health/entities/outage.ts';
import { lockPlan } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';
import { unitOf } from './price-plan.ts';

/** Credits owners for downtime beyond the promise: accounts turns `static_plan.credit_earned` into account credit, once per reference. */
export async function creditOutages(ctx: PlansContext): Promise<void> {
  for (const planId of await plansWithUncountedOutages(ctx.em)) await inTransaction(ctx, (tx) => creditPlan(tx, planId));
}

async function creditPlan(ctx: PlansContext, planId: string): Promise<void> {
  const { em, clock } = ctx;
  const plan = await lockPlan(em, { id: planId });
  if (!plan?.periodStart || !plan.periodEnd) return;
  const { periodStart, periodEnd, accountId, subscriptionId } = plan;
  const at = clock.now();
  const outages = await endedOutages(em, planId, periodStart);
  const { amountMinor, downMs, settled } = creditOf(outages, { periodStart, periodEnd }, unitOf(ctx, plan));
  if (settled.length === 0) return;
  await markCounted(em, settled, at);
  if (amountMinor < 1) return;
  const { code, params } = because('addresses_down', {
    hours: Math.round(downMs / 360_000) / 10,
    percent: (10_000 - SLA_BASIS_POINTS) / 100,
  });
  const why = { reason: sentenceOf({ code, params }), reasonCode: code, params };
  const data = { subscriptionId, amountMinor, currency: CURRENCY, ...why, reference: `outage:${settled[0]}` };
  await appendEvents(em, { type: 'static_plan.credit_earned', at, accountId, subject: planId, data });
}
