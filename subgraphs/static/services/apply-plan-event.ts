import { LockMode } from '@mikro-orm/core';
import { after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import { appendEvents } from '#shared/events.ts';
import { next } from '#shared/lifecycle.ts';
import type { StaticContext } from '../builder.ts';
import {
  STATIC_PLAN_FACTS,
  STATIC_PLAN_LIFECYCLE,
  type StaticPlanEvent,
  type StaticPlanStatus,
  hasEnded,
} from '../domain/static-plan-lifecycle.ts';
import { releaseAddresses } from '../entities/address.ts';
import { StaticPlanEntity } from '../entities/static-plan.ts';

/**
 * What happened to a plan's payment, told once or often, in time or late. A suspended plan keeps its addresses; an ended one gives them back to rest.
 * Returns the status after it; undefined for an unknown plan. An event that means nothing in the present state changes nothing.
 */
export function applyPlanEvent(
  context: StaticContext,
  planId: string,
  event: Exclude<StaticPlanEvent, 'delivered'>,
): Promise<StaticPlanStatus | undefined> {
  return inTransaction(context, async ({ em, clock, providers }) => {
    const plan = await em.findOne(StaticPlanEntity, planId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    const to = plan ? next(STATIC_PLAN_LIFECYCLE, plan.status, event) : undefined;
    if (!plan || to === undefined) return plan?.status;
    const at = clock.now();
    plan.status = to;
    if (hasEnded(to)) {
      plan.endedAt = at;
      await releaseAddresses(em, { planId, at, restsUntil: after(at, providers.restMs) });
    }
    await appendEvents(em, { type: STATIC_PLAN_FACTS[event], at, accountId: plan.accountId, subject: planId });
    return to;
  });
}
