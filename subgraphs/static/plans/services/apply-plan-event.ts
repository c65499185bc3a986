import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { next } from '#platform/lifecycle.ts';
import {
  type PlainPlanEvent,
  STATIC_PLAN_FACTS,
  STATIC_PLAN_LIFECYCLE,
  type StaticPlanStatus,
  hasEnded,
} from '../domain/static-plan-lifecycle.ts';
import { releaseAddresses } from '../../inventory/entities/address.ts';
import { endOutages } from '../../health/entities/outage.ts';
import { deleteNetworksOfPlan } from '../entities/plan-network.ts';
import { type StaticPlan, lockPlan } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

/**
 * Applies an event of a plan's payment; it may come repeatedly or late. A suspended plan keeps its addresses; an ended one gives them back, and they rest.
 * Returns the status afterwards; undefined for an unknown plan. An event that the present state does not allow changes nothing.
 */
export function applyPlanEvent(context: PlansContext, planId: string, event: PlainPlanEvent): Promise<StaticPlanStatus | undefined> {
  return inTransaction(context, async (tx) => {
    const plan = await lockPlan(tx.em, { id: planId });
    if (plan) await movePlan(tx, plan, event);
    return plan?.status;
  });
}

/**
 * The same for a plan that its caller has locked, in the transaction of `em`. `reason` tells why it was not delivered. Returns false when the present state
 * does not allow the event.
 */
export async function movePlan(
  { em, clock, providers }: PlansContext,
  plan: StaticPlan,
  event: PlainPlanEvent,
  reason = 'The plan has ended.',
): Promise<boolean> {
  const to = next(STATIC_PLAN_LIFECYCLE, plan.status, event);
  if (to === undefined) return false;
  const at = clock.now();
  plan.status = to;
  if (hasEnded(to)) {
    plan.endedAt = at;
    await deleteNetworksOfPlan(em, plan.id);
    await releaseAddresses(em, { planId: plan.id, at, restsUntil: after(at, providers.restMs) });
  }
  // Addresses of a plan that is not ACTIVE are not checked, so its open outages end now.
  else if (to !== 'ACTIVE') await endOutages(em, { planId: plan.id }, at);
  const about = { at, accountId: plan.accountId, subject: plan.id };
  if (event !== 'not_delivered') await appendEvents(em, { type: STATIC_PLAN_FACTS[event], ...about });
  else {
    const data = { orderId: plan.orderId, reason };
    await appendEvents(em, { type: 'fulfilment.failed', ...about, data }, { type: 'static_plan.failed', ...about, data });
  }
  return true;
}
