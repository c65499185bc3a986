// Ends what an order bought when the order is refunded.
import { because, fail } from '#platform/errors.ts';
import { lockOrder } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { announceOrder } from '../../orders/services/orders.ts';
import { endForCustomer } from '../../subscriptions/services/end-for-customer.ts';
import { postToOwner } from '../../../mail/services/mails.ts';

export const REFUNDED_SERVICES = ['LEAVE', 'END_AT_PERIOD_END', 'END_NOW'] as const;
export type RefundedService = (typeof REFUNDED_SERVICES)[number];

interface Taken {
  orderId: string;
  service?: RefundedService | null;
  amountMinor?: number | null;
  /** The customer reads it. */
  reason: string;
}

/**
 * Ends what the order bought, now or with its period, in the transaction of the refund. An order that is not delivered yet is taken back by refunding it
 * completely. Errors: action_not_allowed.
 */
export async function takeBack(ctx: SubscriptionsContext, { orderId, service, amountMinor, reason }: Taken): Promise<void> {
  if (!service || service === 'LEAVE') return;
  const order = await lockOrder(ctx.em, orderId);
  if (!order) return;
  const isWhole = amountMinor === undefined || amountMinor === null;
  if (order.status === 'PAID' && !isWhole) throw fail('action_not_allowed', { reason: because('order_not_delivered') });
  if (order.status !== 'FULFILLED') return;
  if (order.subscriptionId)
    await endForCustomer(ctx, { id: order.subscriptionId, atPeriodEnd: service === 'END_AT_PERIOD_END', reason, why: 'REFUNDED' });
  else if (service === 'END_AT_PERIOD_END') throw fail('action_not_allowed', { reason: because('nothing_recurs') });
  if (service !== 'END_NOW') return;
  await announceOrder(ctx, order, 'order.withdrawn');
  const url = `${ctx.providers.publicUrl}/orders/${orderId}`;
  if (!order.subscriptionId) await postToOwner(ctx, order.accountId, 'order_withdrawn', { title: order.title, reason, url });
}
