import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { isSuspended } from '#commerce/account-suspension.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import { randomBase62 } from '#platform/secrets.ts';
import { DEFAULT_STATIC_PRODUCTS, isStaticProductId } from '../../products/domain/static-product.ts';
import { storePlanOfOrder } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

export interface StaticPlanPurchase {
  orderId: string;
  accountId: string;
  subscriptionId: string;
  productId: string;
  /** The number of addresses. */
  quantity: number;
  /** Cents per address and month, as sold; absent: the catalogue's price. */
  unitMinor?: number;
  /** Sales has made that price. */
  custom?: boolean | undefined;
  /** The period that accounts told with the payment. */
  billing?: { version: number; periodStart: Date; periodEnd: Date };
}

/** 119 bits. */
export const newPassword = (): string => randomBase62(20);

/**
 * Makes the plan of a paid order, PENDING, and enqueues its delivery; the same order again gives the same plan. Returns the plan's id. Errors:
 * parameter_invalid (no such product), quantity_invalid.
 */
export function createPlan(
  context: PlansContext,
  { orderId, accountId, subscriptionId, productId, quantity, unitMinor, custom, billing }: StaticPlanPurchase,
): Promise<string> {
  if (!isStaticProductId(productId)) throw fail('parameter_invalid', { field: 'productId' });
  if (!Number.isInteger(quantity) || quantity < 1) throw fail('quantity_invalid', { field: 'quantity' });
  return inTransaction(context, async ({ em, clock, jobs, providers }) => {
    const at = clock.now();
    const id = newId(DEFAULT_STATIC_PRODUCTS[productId].kind === 'ISP' ? 'isp' : 'dc', clock);
    const plan = {
      id,
      accountId,
      orderId,
      subscriptionId,
      productId,
      quantity,
      status: 'PENDING' as const,
      accountSuspended: await isSuspended(em, accountId),
      username: `st${randomBase62(10)}`,
      passwordSealed: seal(newPassword(), providers.sealing, id),
      oldPasswordsSealed: [],
      billingVersion: billing?.version ?? 0,
      periodStart: billing?.periodStart ?? null,
      periodEnd: billing?.periodEnd ?? null,
      cancelAtPeriodEnd: false,
      unitMinor: unitMinor ?? null,
      customPrice: custom ?? false,
      allowedAddresses: [],
      networksAndPassword: false,
      autoReplace: false,
      deliverBy: after(at, providers.deliverWithinMs),
      createdAt: at,
      deliveredAt: null,
      endedAt: null,
    };
    const stored = await storePlanOfOrder(em, plan);
    if (stored.id !== id) return stored.id;
    await appendEvents(em, { type: 'static_plan.created', at, accountId, subject: id, data: { orderId } });
    await jobs.enqueue(em, 'static.plan-deliver', { planId: id });
    return id;
  });
}
