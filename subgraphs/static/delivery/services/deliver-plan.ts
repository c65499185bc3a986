import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { Complete } from '#platform/jobs.ts';
import { next } from '#platform/lifecycle.ts';
import { STATIC_PLAN_LIFECYCLE } from '../../plans/domain/static-plan-lifecycle.ts';
import { takeAddresses } from '../../inventory/entities/address.ts';
import { watchAddressesOf } from '../../health/entities/health.ts';
import { dropHolds, holdOfOrder } from '../../inventory/entities/stock-hold.ts';
import { lockPlan } from '../../plans/entities/static-plan.ts';
import type { PlansContext } from '../../plans/context.ts';
import { movePlan } from '../../plans/services/apply-plan-event.ts';
import { OutOfStock, withStock } from '../../inventory/services/with-stock.ts';

export type Delivery = 'delivered' | 'nothing_to_do' | 'out_of_stock' | 'given_up';

/** The text that the customer reads when there is no stock for a paid order. */
export const NO_STOCK_REASON = 'There were not enough addresses of this kind.';

/**
 * Allocates a PENDING plan's addresses, all or none, and makes it ACTIVE. It may be called repeatedly. Without enough stock the plan stays PENDING until its
 * promised time of delivery; then it is given up, and accounts pays it back. `complete` marks the calling job as done in the same transaction.
 */
export async function deliverPlan(context: PlansContext, planId: string, complete: Complete = async () => {}): Promise<Delivery> {
  const outcome = await withStock((wait) => inTransaction(context, (inner) => allocate(inner, planId, wait, complete)));
  return (
    outcome ??
    inTransaction(context, async (tx) => {
      await complete(tx.em);
      const plan = await lockPlan(tx.em, { id: planId });
      if (!plan || plan.deliverBy > tx.clock.now()) return 'out_of_stock';
      const given = await movePlan(tx, plan, 'not_delivered', NO_STOCK_REASON);
      return given ? 'given_up' : 'nothing_to_do';
    })
  );
}

async function allocate({ em, clock }: PlansContext, planId: string, wait: boolean, complete: Complete): Promise<Delivery> {
  const plan = await lockPlan(em, { id: planId });
  const to = plan ? next(STATIC_PLAN_LIFECYCLE, plan.status, 'delivered') : undefined;
  await complete(em);
  if (!plan || to === undefined) return 'nothing_to_do';
  const at = clock.now();
  const holdId = await holdOfOrder(em, plan.orderId);
  const { productId, quantity, orderId } = plan;
  const taken = await takeAddresses(em, { productId, planId, quantity, at, wait, holdId });
  if (taken < quantity) throw new OutOfStock();
  if (holdId) await dropHolds(em, [holdId]);
  plan.status = to;
  plan.deliveredAt = at;
  await watchAddressesOf(em, planId, at);
  const about = { at, accountId: plan.accountId, subject: planId };
  await appendEvents(
    em,
    { type: 'fulfilment.delivered', ...about, data: { orderId } },
    { type: 'static_plan.delivered', ...about, data: { orderId, quantity: taken } },
  );
  return 'delivered';
}
