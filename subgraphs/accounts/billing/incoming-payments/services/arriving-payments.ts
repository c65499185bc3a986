// Money that arrives by itself, in parts, and late, as coins do. Confirmed money that an order does not need, or cannot be paid with, becomes account
// credit, each cent once.
import { formatMoney } from '#commerce/money.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import type { CryptoCheckout } from '../../payments/entities/crypto-checkout.ts';
import { checkoutWithId } from '../../payments/entities/crypto-checkout.ts';
import type { Order } from '../../orders/entities/order.ts';
import { isPaidBy, paymentBy } from '../../payments/entities/payment.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import type { PaymentState } from '../../payments/providers/payment-processor.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { payOrder } from './pay-order.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

/** In the caller's transaction, which holds the order's lock; repeated, late and crossing calls change nothing more. */
export async function applyArrived(
  ctx: SubscriptionsContext,
  method: MethodDefinition,
  order: Order | null,
  state: PaymentState,
): Promise<void> {
  const arrived = order && (await checkoutWithId(ctx.em, state.id, order.id));
  if (!order || !arrived) {
    ctx.log.warn({ checkout: state.id, order: state.orderId }, 'a checkout of arriving money that belongs to no order of ours');
    return;
  }
  // One that was closed may have asked for more: credit has paid a part since. What comes there is credit, whatever it asked for.
  const isOpen = order.checkoutId === state.id && order.status === 'PENDING';
  if (isOpen && (state.currency !== order.currency || state.amountMinor !== order.totalMinor))
    throw new Error(
      `checkout ${state.id} asks for ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await noteArrived(ctx, order, arrived, state);
  if (state.status !== 'paid' && state.status !== 'failed') return;
  const paid = { processor: method.processor, processorId: state.id };
  // Once over, always over: credit that was held is given back, and what came in has become credit.
  const wasOver = arrived.closedAt !== null && !(await isPaidBy(ctx.em, paid.processor, paid.processorId));
  arrived.closedAt ??= ctx.clock.now();
  if (state.status === 'paid' && !wasOver) await payOrder(ctx, order, paid);
  if (order.checkoutId === state.id) await closeOrderOf(ctx, order);
  await creditRest(ctx, method, order, arrived);
}

/** Its only checkout is closed: an order that is not paid is over. A renewal waits on, and gets another checkout when its owner wants one. */
async function closeOrderOf(ctx: SubscriptionsContext, order: Order): Promise<void> {
  if (order.kind === 'RENEWAL' && order.status === 'PENDING') {
    order.checkoutId = null;
    order.checkoutUrl = null;
    return announceOrder(ctx, order, 'order.payment_seen');
  }
  order.checkoutClosedAt ??= ctx.clock.now();
  if (moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
  await releaseCredit(ctx, order);
}

/** Writes down what has arrived and notifies the page that shows the order; while it is confirmed, the order waits on. */
async function noteArrived(
  ctx: SubscriptionsContext,
  order: Order,
  arrived: CryptoCheckout,
  { status, arrived: money }: PaymentState,
): Promise<void> {
  if (!money) throw new Error(`nothing is said of what has arrived at checkout ${arrived.id}`);
  const { seenMinor, confirmedMinor, watchedUntil } = money;
  const isMoved = arrived.seenMinor !== seenMinor || arrived.confirmedMinor !== confirmedMinor;
  Object.assign(arrived, { seenMinor, confirmedMinor, watchedUntil: watchedUntil > ctx.clock.now() ? watchedUntil : null });
  if (status === 'confirming' && order.status === 'PENDING' && order.expiresAt < watchedUntil) order.expiresAt = watchedUntil;
  await ctx.em.flush();
  if (isMoved) await announceOrder(ctx, order, 'order.payment_seen');
}

async function creditRest(
  ctx: SubscriptionsContext,
  { processor, parts }: MethodDefinition,
  order: Order,
  arrived: CryptoCheckout,
): Promise<void> {
  if (!parts) return;
  const { accountId, currency, title } = order;
  const payment = await paymentBy(ctx.em, { processor, processorId: arrived.id });
  const amountMinor = arrived.confirmedMinor - (payment?.amountMinor ?? 0) - arrived.creditedMinor;
  if (amountMinor <= 0) return;
  await lockCreditOfAccount(ctx.em, accountId, currency);
  arrived.creditedMinor += amountMinor;
  await postJournal(ctx, parts.journal, {
    reference: `${arrived.id}:${arrived.creditedMinor}`,
    currency,
    note: title,
    data: { accountId, amountMinor },
  });
  const amount = formatMoney({ amountMinor, currency });
  await postToOwner(ctx, accountId, parts.mail, { title, amount, url: `${ctx.providers.publicUrl}/billing` });
}
