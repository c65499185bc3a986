// What was paid and could not be delivered: the money goes back the way it came, the subscription ends, and the customer is notified.
import type { EventOf } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { MAX_REASON_LENGTH } from '#commerce/support-reason.ts';
import { lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { lockOrder, type Order } from '../../orders/entities/order.ts';
import { CREDIT, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { leftOfOrder, refundNow } from './refund-order.ts';
import { undoSubscription } from '../../subscriptions/services/undo-subscription.ts';

/** The events of it before there was `fulfilment.failed`; sellers still append them, for pages that follow them. */
type Failed = 'fulfilment.failed' | 'compute_dedicated.failed' | 'compute_vps.failed' | 'static_plan.failed';

/** Reaction to a seller that cannot deliver. Of an order that is delivered, or refunded already, nothing is left to do. */
export async function refundUndelivered(ctx: SubscriptionsContext, { data }: EventOf<Failed>): Promise<void> {
  const { orderId, reason } = data;
  const order = await lockOrder(ctx.em, orderId);
  if (!order || order.status !== 'PAID') return;
  const amountMinor = await refundRest(ctx, order, reason.slice(0, MAX_REASON_LENGTH) || 'Not delivered');
  const { title, currency, accountId } = order;
  const amount = formatMoney({ amountMinor, currency });
  await postToOwner(ctx, accountId, 'not_delivered', { title, amount, url: `${ctx.providers.publicUrl}/orders/${orderId}` });
}

/** What has not been given back before: the way it came what can go there, the rest as credit. In minor units, with tax. */
export async function refundRest(ctx: SubscriptionsContext, order: Order, reason: string): Promise<number> {
  const { id: orderId, subscriptionId } = order;
  // Before its invoice, as a change does.
  if (subscriptionId) await lockSubscription(ctx.em, subscriptionId);
  const open = await leftOfOrder(ctx, orderId);
  const whole = open?.left.totalMinor ?? 0;
  const { method, minor: backMinor } = open?.back ?? { method: methodOf(CREDIT), minor: 0 };
  if (backMinor > 0)
    await refundNow(
      ctx,
      `rfnd_${orderId}_${method.processor}`,
      { orderId, destination: method.name, amountMinor: backMinor, reason },
      'NOT_DELIVERED',
    );
  if (whole > backMinor)
    await refundNow(ctx, `rfnd_${orderId}_rest`, { orderId, destination: CREDIT, amountMinor: whole - backMinor, reason }, 'NOT_DELIVERED');
  // It cost nothing, or changes have given all of it back.
  if (whole === 0 && moveOrder(order, 'refunded')) {
    await announceOrder(ctx, order, 'order.refunded');
    await undoSubscription(ctx, order, 'NOT_DELIVERED');
  }
  return whole;
}
