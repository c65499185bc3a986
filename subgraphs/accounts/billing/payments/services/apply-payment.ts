// What a processor says of a checkout, applied to its order under the order's lock. Repeated, late and crossing calls change nothing more.
import { inTransaction } from '#platform/database.ts';
import type { MethodName } from '../domain/payment-method.ts';
import { isPaidBy } from '../entities/payment.ts';
import { type Order, lockOrder } from '../../orders/entities/order.ts';
import type { MethodDefinition } from '../providers/method-definition.ts';
import { methodOf, processorOf } from '../providers/payment-methods.ts';
import type { PaymentState } from '../providers/payment-processor.ts';
import type { Context } from '../../../context.ts';
import { releaseCredit } from '../../ledger/services/hold-credit.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { payOrder } from '../../orders/services/pay-order.ts';
import { applyArrived } from './arriving-payments.ts';
import { adoptMeans } from './processor-customer.ts';

/** Brings the order of a checkout to what the processor says now. */
export async function applyNow(ctx: Context, name: MethodName, checkoutId: string): Promise<void> {
  const state = await processorOf(ctx.providers, name).lookUp(checkoutId);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyPayment(tx, methodOf(name), state));
}

/** The same in the caller's transaction. */
export async function applyPayment(ctx: Context, method: MethodDefinition, state: PaymentState): Promise<void> {
  const order = await lockOrder(ctx.em, state.orderId);
  if (order && (await isTakenBack(ctx, method, order, state)))
    ctx.log.error({ order: order.id, checkout: state.id, status: state.status }, 'a payment is disputed, or failed after it was paid');
  if (state.status === 'disputed') return;
  await (method.parts ? applyArrived(ctx, method, order, state) : applyWhole(ctx, method, order, state));
}

/** Whether the money of an order that is paid by this is in doubt or gone. The books stay: what is to be done is for a person to say. */
const isTakenBack = async (ctx: Context, { processor }: MethodDefinition, order: Order, { id, status, paymentId }: PaymentState) =>
  status === 'disputed' || (status === 'failed' && Boolean(order.paidAt) && (await isPaidBy(ctx.em, processor, paymentId ?? id)));

/** Of a checkout that is paid at once and whole, or not at all. */
async function applyWhole(ctx: Context, { processor }: MethodDefinition, order: Order | null, state: PaymentState): Promise<void> {
  if (!order || (order.checkoutId !== null && order.checkoutId !== state.id)) {
    ctx.log.warn({ checkout: state.id, order: state.orderId }, 'a checkout that belongs to no order of ours');
    return;
  }
  if (state.status === 'paid' || state.status === 'failed') order.checkoutClosedAt ??= ctx.clock.now();
  if (state.status === 'failed') {
    if (moveOrder(order, 'expired')) await announceOrder(ctx, order, 'order.expired');
    await releaseCredit(ctx, order);
  }
  if (state.status !== 'paid') return;
  if (state.amountMinor !== order.totalMinor || state.currency !== order.currency)
    throw new Error(
      `checkout ${state.id} took ${state.amountMinor} ${state.currency}, order ${order.id} costs ${order.totalMinor} ${order.currency}`,
    );
  await payOrder(ctx, order, { processor, processorId: state.paymentId ?? state.id, meansId: state.meansId });
  if (state.meansId) await adoptMeans(ctx, order.accountId, state.meansId);
}
