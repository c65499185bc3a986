import { LockMode } from '@mikro-orm/core';
import { inTransaction } from '#shared/database.ts';
import { appendEvents } from '#shared/events.ts';
import type { Complete } from '#shared/jobs.ts';
import { next } from '#shared/lifecycle.ts';
import type { StaticContext } from '../builder.ts';
import { STATIC_PLAN_FACTS, STATIC_PLAN_LIFECYCLE } from '../domain/static-plan-lifecycle.ts';
import { takeFreeAddresses } from '../entities/address.ts';
import { StaticPlanEntity } from '../entities/static-plan.ts';

export type Delivery = 'delivered' | 'nothing_to_do' | 'out_of_stock';

class OutOfStock extends Error {}

/**
 * Allocates a PENDING plan's addresses, all or none, and makes it ACTIVE. Safe to repeat. Out of stock leaves it PENDING.
 * `complete` marks the asking job done in the same transaction.
 */
export async function deliverPlan(context: StaticContext, planId: string, complete: Complete = async () => {}): Promise<Delivery> {
  // First past the addresses that others are taking. When that is too few, the others may yet roll back: look again, waiting for them.
  // Between the attempts nothing is held, so that two buyers with half of the rest each do not wait for one another.
  for (const wait of [false, true]) {
    try {
      return await inTransaction(context, (inner) => allocate(inner, planId, wait, complete));
    } catch (error) {
      if (!(error instanceof OutOfStock)) throw error;
    }
  }
  await inTransaction(context, ({ em }) => complete(em));
  return 'out_of_stock';
}

async function allocate({ em, clock }: StaticContext, planId: string, wait: boolean, complete: Complete): Promise<Delivery> {
  const plan = await em.findOne(StaticPlanEntity, planId, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const to = plan ? next(STATIC_PLAN_LIFECYCLE, plan.status, 'delivered') : undefined;
  await complete(em);
  if (!plan || to === undefined) return 'nothing_to_do';
  const at = clock.now();
  const taken = await takeFreeAddresses(em, { productId: plan.productId, planId, quantity: plan.quantity, at, wait });
  if (taken < plan.quantity) throw new OutOfStock();
  plan.status = to;
  plan.deliveredAt = at;
  await appendEvents(em, { type: STATIC_PLAN_FACTS.delivered, at, accountId: plan.accountId, subject: planId, data: { quantity: taken } });
  return 'delivered';
}
