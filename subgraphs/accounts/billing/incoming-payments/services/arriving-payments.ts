// Money that arrives in parts and late, as coins do. Confirmed money that an order does not need, or that cannot pay it, becomes account
// credit, each cent exactly once.
import { after } from '#platform/clock.ts';
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

/** Applies what has arrived, in the caller's transaction, which holds the order's lock. Repeated, late and crossing calls change nothing more. */
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
  // A closed checkout may have asked for another amount, before credit paid a part. Whatever arrives there becomes credit.
  const isOpen = order.checkoutId === state.id && order.status === 'PENDING';
  if (isOpen && (state.currency !== order.currency || state.amountMinor !== order.totalMinor))
    throw new Error(
      `checkout ${state.id} asks for ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await noteArrived(ctx, order, arrived, state, method.parts?.unconfirmedMs ?? 0);
  if (state.status !== 'paid' && state.status !== 'failed') return;
  const paid = { processor: method.processor, processorId: state.id };
  // A checkout that was over stays over: its held credit was released, and what had arrived became credit.
  const wasOver = arrived.closedAt !== null && !(await isPaidBy(ctx.em, paid.processor, paid.processorId));
  arrived.closedAt ??= ctx.clock.now();
  if (state.status === 'paid' && !wasOver) await payOrder(ctx, order, paid);
  if (order.checkoutId === state.id) await closeOrderOf(ctx, order);
  await creditRest(ctx, method, order, arrived);
}

/** Ends an unpaid order whose only checkout is closed. A renewal goes on waiting, and gets another checkout when its owner wants one. */
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

/** Stores what has arrived and notifies the page of the order, which goes on waiting while the money is being confirmed. */
async function noteArrived(
  ctx: SubscriptionsContext,
  order: Order,
  arrived: CryptoCheckout,
  { status, arrived: money }: PaymentState,
  unconfirmedMs: number,
): Promise<void> {
  if (!money) throw new Error(`nothing is said of what has arrived at checkout ${arrived.id}`);
  const { seenMinor, confirmedMinor, watchedUntil } = money;
  const isMoved = arrived.seenMinor !== seenMinor || arrived.confirmedMinor !== confirmedMinor;
  // The processor stops at the end of its time; coins on their way do not.
  const until = seenMinor > confirmedMinor ? after(watchedUntil, unconfirmedMs) : watchedUntil;
  Object.assign(arrived, { seenMinor, confirmedMinor, watchedUntil: until > ctx.clock.now() ? until : null });
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
