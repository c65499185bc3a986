// Payment by cryptocurrency. What moves an order is the processor's present state, applied under the order's lock; confirmed money that an order does not need, or
// cannot be paid with, becomes account credit, each cent once.
import { inTransaction } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import { formatMoney } from '#commerce/money.ts';
import { Account } from '../../../identity/entities/account.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { CryptoCheckout } from '../entities/crypto-checkout.ts';
import { type Order, lockOrder } from '../../orders/entities/order.ts';
import { Payment } from '../entities/payment.ts';
import type { CryptoCheckoutState } from '../providers/crypto-processor.ts';
import type { Context } from '../../../providers.ts';
import { releaseCredit } from '../../ledger/services/hold-credit.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { cryptoOf, orderOfReference } from './open-crypto-checkout.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

/** Brings the order of a checkout to what the processor says now. */
export async function applyCryptoNow(ctx: Context, checkoutId: string): Promise<void> {
  const state = await cryptoOf(ctx).checkout(checkoutId);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyCrypto(tx, state));
}

/** Gives up a checkout that nobody is to pay any more. Money that is on its way all the same pays the order, or becomes credit. */
export async function closeCrypto(ctx: Context, checkoutId: string): Promise<void> {
  await cryptoOf(ctx).closeCheckout(checkoutId);
  await applyCryptoNow(ctx, checkoutId);
}

/** In the caller's transaction; repeated, late and crossing calls change nothing more. */
export async function applyCrypto(ctx: Context, state: CryptoCheckoutState): Promise<void> {
  const order = await lockOrder(ctx.em, orderOfReference(state.reference));
  const arrived = order && (await ctx.em.findOne(CryptoCheckout, { id: state.id, orderId: order.id }));
  if (!order || !arrived) {
    ctx.log.warn({ checkout: state.id, reference: state.reference }, 'a crypto checkout that belongs to no order of ours');
    return;
  }
  if (state.currency !== order.currency || state.amountMinor !== order.totalMinor)
    throw new Error(
      `crypto checkout ${state.id} asks for ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await noteArrived(ctx, order, arrived, state);
  if (state.status === 'open' || state.status === 'seen') return;
  const paid = { processor: 'crypto' as const, processorId: state.id };
  // Once over, always over: credit that was held is given back, and what came in has become credit.
  const wasOver = arrived.closedAt !== null && (await ctx.em.count(Payment, paid)) === 0;
  arrived.closedAt ??= ctx.clock.now();
  if (state.status === 'paid' && !wasOver) await payOrder(ctx, order, paid);
  if (order.checkoutId === state.id) await closeOrderOf(ctx, order);
  await creditRest(ctx, order, arrived);
}

/** Its only checkout is closed: an order that is not paid is over. A renewal waits on, and gets another checkout when its owner wants one. */
async function closeOrderOf(ctx: Context, order: Order): Promise<void> {
  if (order.kind === 'RENEWAL' && order.status === 'PENDING') {
    order.checkoutId = null;
    order.checkoutUrl = null;
    return announceOrder(ctx, order, 'order.payment_seen');
  }
  order.checkoutClosedAt ??= ctx.clock.now();
  if (moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
  await releaseCredit(ctx, order);
}

/** Writes down what has arrived and tells the page that shows the order; while it is confirmed, the order waits on. */
async function noteArrived(ctx: Context, order: Order, arrived: CryptoCheckout, state: CryptoCheckoutState): Promise<void> {
  const isMoved = arrived.seenMinor !== state.seenMinor || arrived.confirmedMinor !== state.confirmedMinor;
  const { seenMinor, confirmedMinor, watchedUntil } = state;
  Object.assign(arrived, { seenMinor, confirmedMinor, watchedUntil: watchedUntil > ctx.clock.now() ? watchedUntil : null });
  if (state.status === 'seen' && order.status === 'PENDING' && order.expiresAt < watchedUntil) order.expiresAt = watchedUntil;
  await ctx.em.flush();
  if (isMoved) await announceOrder(ctx, order, 'order.payment_seen');
}

async function creditRest(ctx: Context, order: Order, arrived: CryptoCheckout): Promise<void> {
  const { accountId, currency, title } = order;
  const payment = await ctx.em.findOne(Payment, { processor: 'crypto', processorId: arrived.id });
  const amountMinor = arrived.confirmedMinor - (payment?.amountMinor ?? 0) - arrived.creditedMinor;
  if (amountMinor <= 0) return;
  await lockCreditOfAccount(ctx.em, accountId, currency);
  arrived.creditedMinor += amountMinor;
  await postJournal(ctx, 'crypto_credited', {
    reference: `${arrived.id}:${arrived.creditedMinor}`,
    currency,
    note: title,
    data: { accountId, amountMinor },
  });
  const { email } = await ctx.em.findOneOrFail(Account, { id: accountId });
  if (email)
    await postMail(ctx, email, 'crypto_credited', {
      title,
      amount: formatMoney({ amountMinor, currency }),
      url: `${ctx.providers.publicUrl}/billing`,
    });
}

/** Late transactions whose notice never came: looks at every checkout that is closed and still watched. */
export async function watchCrypto(ctx: Context): Promise<void> {
  const watched = everyRow((behind, limit) =>
    ctx.em
      .fork()
      .find(
        CryptoCheckout,
        { id: { $gt: behind }, closedAt: { $ne: null }, watchedUntil: { $ne: null } },
        { orderBy: { id: 'asc' }, limit, fields: ['id'] },
      ),
  );
  for await (const { id } of watched)
    try {
      await applyCryptoNow(ctx, id);
    } catch (error) {
      ctx.log.error({ checkout: id, error: String(error) }, 'a crypto checkout could not be looked at');
    }
}
