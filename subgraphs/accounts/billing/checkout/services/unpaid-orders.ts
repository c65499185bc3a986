// How many orders may wait for their payment at once: each may hold stock and opens a checkout without having cost anything.
import { createHmac } from 'node:crypto';
import { addressGroup } from '#platform/address-group.ts';
import { because, fail } from '#platform/errors.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { hasPaidOrder, ordersWaiting } from '../../orders/entities/order.ts';
import { countWaitingFrom } from '../../risk/entities/order-trace.ts';
import { methodOf, orderMethods } from '../../payments/providers/payment-methods.ts';
import type { CheckoutContext } from '../context.ts';

export interface Buyer {
  /** Whether the account has paid for an order before. */
  known: boolean;
  /** Stands for the client's address, and does not disclose it: it goes into the event log. */
  from: string;
}

/** Who places an order now, in the transaction of `ctx.em`. */
export const buyerOf = async ({ em, viewer, providers }: CheckoutContext, accountId: string): Promise<Buyer> => ({
  known: await hasPaidOrder(em, accountId),
  from: createHmac('sha256', providers.secrets.offers[0])
    .update(`placed from ${addressGroup(viewer.address)}`)
    .digest('base64url'),
});

/**
 * Before an order is placed that will wait for its payment, in the transaction of `ctx.em`, which holds the lock of the account's credit: no two of
 * an account are placed at once. Errors: too_many_unpaid_orders, with the waiting orders' titles and the id of the oldest.
 */
export async function checkUnpaid(ctx: CheckoutContext, accountId: string, method: PaymentMethod, { known, from }: Buyer): Promise<void> {
  const { em } = ctx;
  const { holdsAs, unpaidMax } = methodOf(method);
  // Orders whose method holds stock are counted together.
  const methods = holdsAs ? orderMethods().filter((name) => methodOf(name).holdsAs) : [method];
  const waiting = await ordersWaiting(em, accountId, methods);
  const [oldest] = waiting;
  if (oldest && waiting.length >= unpaidMax.account)
    throw fail('too_many_unpaid_orders', {
      order_id: oldest.id,
      reason: because('unpaid_orders_wait', { count: waiting.length, titles: waiting.map(({ title }) => title).join('; ') }),
    });
  if (known) return;
  // Several accounts behind one address may place orders at the same moment.
  if ((await countWaitingFrom(em, from, method)) >= unpaidMax.address)
    throw fail('too_many_unpaid_orders', {
      reason: because('network_orders_wait'),
    });
}
