// What happens when an order of ours is paid.
import { z } from 'zod';
import type { LoggedEvent } from '#shared/events.ts';
import { PRODUCT_CODES } from '../domain/products.ts';
import type { Context } from '../providers.ts';
import { grantPlan } from './grant-plan.ts';

/** What `pricePackage` put into the signed offer. */
const fulfilment = z.object({
  product: z.enum(PRODUCT_CODES),
  bytes: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
});

/** Reaction to `order.paid`: delivers the plan. Orders of other sellers are none of ours. */
export async function fulfilOrder(ctx: Context, event: LoggedEvent): Promise<void> {
  if (event.data['seller'] !== 'residential' || event.accountId === null) return;
  const { product, bytes } = fulfilment.parse(event.data['fulfil']);
  await grantPlan(ctx, { accountId: event.accountId, product, bytes, orderId: event.subject });
}
