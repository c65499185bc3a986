import { announceAgain } from '#commerce/repricing/reprice.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { hasEnded } from '../../plans/domain/static-plan-lifecycle.ts';
import { type Addition, endAddition, lockAddition } from '../../plans/entities/addition.ts';
import { takeAddresses } from '../../inventory/entities/address.ts';
import { watchAddressesOf } from '../../health/entities/health.ts';
import { dropHolds } from '../../inventory/entities/stock-hold.ts';
import { type StaticPlan, lockPlan } from '../../plans/entities/static-plan.ts';
import type { PlansContext } from '../../plans/context.ts';
import { REPRICED_PLANS } from '../../plans/services/repriced-plans.ts';
import { type Delivery, NO_STOCK_REASON } from './deliver-plan.ts';
import { OutOfStock, withStock } from '../../inventory/services/with-stock.ts';

/**
 * Gives a plan the addresses that an order bought for it, all or none. It may be called repeatedly. An order that cannot be delivered in time fails, and
 * accounts pays it back.
 */
export async function deliverAddition(context: PlansContext, orderId: string): Promise<Delivery> {
  const outcome = await withStock((wait) =>
    withAddition(context, orderId, async (tx, addition, plan) => {
      if (hasEnded(plan.status)) return giveUp(tx, addition, plan, 'The plan has ended.');
      return add(tx, addition, plan, wait);
    }),
  );
  return (
    outcome ??
    withAddition(context, orderId, async (tx, addition, plan) =>
      addition.deliverBy > tx.clock.now() ? 'out_of_stock' : giveUp(tx, addition, plan, NO_STOCK_REASON),
    )
  );
}

/** Runs `work` with the addition and its plan locked. The addition is locked first; nothing else locks an addition after a plan. */
const withAddition = (
  context: PlansContext,
  orderId: string,
  work: (tx: PlansContext, addition: Addition, plan: StaticPlan) => Promise<Delivery>,
): Promise<Delivery> =>
  inTransaction(context, async (tx) => {
    const addition = await lockAddition(tx.em, orderId);
    const plan = addition && (await lockPlan(tx.em, { id: addition.planId }));
    return addition && plan ? work(tx, addition, plan) : 'nothing_to_do';
  });

async function add(ctx: PlansContext, addition: Addition, plan: StaticPlan, wait: boolean): Promise<Delivery> {
  const { em, clock } = ctx;
  const at = clock.now();
  const { quantity, holdId, orderId } = addition;
  const { id: planId, productId } = plan;
  const taken = await takeAddresses(em, { productId, planId, quantity, at, wait, holdId });
  if (taken < quantity) throw new OutOfStock();
  if (holdId) await dropHolds(em, [holdId]);
  plan.quantity += quantity;
  await endAddition(em, orderId, 'delivered', at);
  await watchAddressesOf(em, planId, at);
  const about = { at, accountId: plan.accountId, subject: planId };
  await appendEvents(
    em,
    { type: 'fulfilment.delivered', ...about, data: { orderId } },
    { type: 'static_plan.delivered', ...about, data: { orderId, quantity } },
  );
  await announceAgain(ctx, REPRICED_PLANS, planId);
  return 'delivered';
}

async function giveUp({ em, clock }: PlansContext, { orderId }: Addition, plan: StaticPlan, reason: string): Promise<Delivery> {
  const at = clock.now();
  await endAddition(em, orderId, 'failed', at);
  const failed = { at, accountId: plan.accountId, subject: plan.id, data: { orderId, reason } };
  await appendEvents(em, { type: 'fulfilment.failed', ...failed }, { type: 'static_plan.failed', ...failed });
  return 'given_up';
}
