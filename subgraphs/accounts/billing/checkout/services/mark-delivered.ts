// Once a purchase has been delivered its order is fulfilled, and its subscription begins.
import type { EventOf } from '#platform/events.ts';
import { lockOrder } from '../../orders/entities/order.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { beginAtDelivery } from '../../subscriptions/services/begin-at-delivery.ts';
import type { CheckoutContext } from '../context.ts';

/** The events of a delivery before there was `fulfilment.delivered`; sellers still append them, for pages that follow them. */
type Delivered =
  | 'fulfilment.delivered'
  | 'compute_dedicated.delivered'
  | 'compute_vps.adjusted'
  | 'compute_vps.created'
  | 'residential_plan.created'
  | 'static_plan.delivered';

/** Reaction to a delivery by any seller; the event's subject is what was delivered. When one delivery has several events, the first counts. */
export async function markDelivered(ctx: CheckoutContext, event: EventOf<Delivered>): Promise<void> {
  const order = await lockOrder(ctx.em, event.data.orderId);
  if (!order || !moveOrder(order, 'delivered')) return;
  order.fulfilledAt = ctx.clock.now();
  order.resourceId = event.subject;
  await beginAtDelivery(ctx, order);
  await announceOrder(ctx, order, 'order.fulfilled', { resourceId: event.subject });
}
