import { inTransaction } from '#shared/database.ts';
import { appendEvents } from '#shared/events.ts';
import { fail } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { randomBase62, seal } from '#shared/secrets.ts';
import type { StaticContext } from '../builder.ts';
import { findStaticProduct } from '../domain/static-product.ts';
import { StaticPlanEntity } from '../entities/static-plan.ts';

export interface StaticPlanPurchase {
  orderId: string;
  accountId: string;
  subscriptionId: string;
  productId: string;
  /** Addresses. */
  quantity: number;
}

/**
 * Makes the plan of a paid order, PENDING, and asks for its delivery; the same order again gives the same plan.
 * Returns the plan's id. Errors: parameter_invalid (no such product), quantity_invalid.
 */
export function createPlan(
  context: StaticContext,
  { orderId, accountId, subscriptionId, productId, quantity }: StaticPlanPurchase,
): Promise<string> {
  const product = findStaticProduct(productId);
  if (!product) throw fail('parameter_invalid', { field: 'productId' });
  if (!Number.isInteger(quantity) || quantity < 1) throw fail('quantity_invalid', { field: 'quantity' });
  return inTransaction(context, async ({ em, clock, jobs, providers }) => {
    const at = clock.now();
    const id = newId(product.kind === 'ISP' ? 'isp' : 'dc', clock);
    const plan = {
      id,
      accountId,
      orderId,
      subscriptionId,
      productId,
      quantity,
      status: 'PENDING' as const,
      username: `st${randomBase62(10)}`,
      passwordSealed: seal(randomBase62(20), providers.sealing, id),
      createdAt: at,
      deliveredAt: null,
      endedAt: null,
    };
    // Two announcements of one order at the same time: the second waits here for the first, and then finds its plan.
    await em.upsert(StaticPlanEntity, plan, { onConflictFields: ['orderId'], onConflictAction: 'ignore' });
    const stored = await em.findOneOrFail(StaticPlanEntity, { orderId }, { refresh: true });
    if (stored.id !== id) return stored.id;
    await appendEvents(em, { type: 'static_plan.created', at, accountId, subject: id, data: { orderId } });
    await jobs.enqueue(em, 'static.plan-deliver', { planId: id });
    return id;
  });
}
