// Credit for an order that is not paid yet is set aside, so that no other order spends it; it comes back when the order can no longer be paid.
import { inTransaction } from '#platform/database.ts';
import { type Order, type OverOrder, lockOrder, unclosedOrders } from '../entities/order.ts';
import { chargedMethods } from '../../payments/providers/payment-methods.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';

type Held = Pick<Order, 'id' | 'accountId' | 'creditMinor' | 'currency' | 'title'>;

const postingOf = ({ id: reference, accountId, creditMinor: amountMinor, currency, title: note }: Held) => ({
  reference,
  currency,
  note,
  data: { accountId, amountMinor },
});

/** In the transaction of `ctx.em`, which holds the lock of the account's credit. */
export const holdCredit = (ctx: PaymentsContext, order: Held): Promise<boolean> => postJournal(ctx, 'credit_held', postingOf(order));

/**
 * More of an order that waits is paid by credit, and less is left to pay. In the transaction of `ctx.em`, which holds the locks of the account's credit
 * and of the order; nothing may be open where the order is paid that asks for more.
 */
export async function holdMore(ctx: PaymentsContext, order: Order, amountMinor: number): Promise<void> {
  order.creditMinor += amountMinor;
  order.totalMinor -= amountMinor;
  const { reference, ...posting } = postingOf({ ...order, creditMinor: amountMinor });
  await postJournal(ctx, 'credit_held', { ...posting, reference: `${reference}:${order.creditMinor}` });
}

/**
 * In the transaction of `ctx.em`, which holds the order's lock. Only for one whose checkout is surely closed: what is paid later could not be
 * delivered. Once.
 */
export async function releaseCredit(ctx: PaymentsContext, order: Order): Promise<void> {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED') await postJournal(ctx, 'credit_released', postingOf(order));
}

/** Orders that are over and whose checkout may still be paid, or whose credit nobody has given back: a notice never came, a job was lost. */
export const ordersToClose = ({ em, clock }: PaymentsContext): AsyncGenerator<OverOrder> =>
  unclosedOrders(em, chargedMethods(), clock.now());

/** For an order without a checkout whose time is over: none can be opened any more. */
export const releaseWithoutCheckout = (ctx: PaymentsContext, id: string): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const order = await lockOrder(tx.em, id);
    if (order && !order.checkoutId) await releaseCredit(tx, order);
  });
