// The one attempt to charge an automatic order to the account's saved means. A repeated job charges only once: the order has one charge at the processor,
// and one idempotency key for paying it.
import { formatMoney } from '#commerce/money.ts';
import { inTransaction } from '#platform/database.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import { type Order, lockOrder, noteCharge, orderWithId } from '../../orders/entities/order.ts';
import { giveUp } from '../../orders/services/orders.ts';
import { chargesOf, methodOf } from '../../payments/providers/payment-methods.ts';
import type { PayOutcome } from '../../payments/providers/recurring-charges.ts';
import { applyCharge } from '../../renewals/services/attempt-renewal.ts';
import type { CheckoutContext } from '../context.ts';
import { askedBy, declineTopUp } from './place-automatic.ts';

/** Errors: vendor_unavailable; the job then tries again. */
export async function chargeAutomatic(
  ctx: CheckoutContext,
  { orderId, meansId: named }: { orderId: string; meansId?: string },
): Promise<void> {
  const order = await orderWithId(ctx.em.fork(), orderId);
  if (!order?.automatic) return;
  const charges = chargesOf(ctx.providers, order.method);
  // Its owner has given the order up in the meantime, or its time is over.
  if (order.status !== 'PENDING') return void (order.chargeId && (await applyCharge(ctx, await charges.giveUp(order.chargeId))));
  const { accountId, totalMinor: amountMinor, currency, title } = order;
  const customer = await customerOfAccount(ctx.em.fork(), methodOf(order.method).processor, accountId);
  const meansId = named ?? customer?.defaultMeansId;
  if (!customer || !meansId) return decline(ctx, orderId, { outcome: 'needs_confirmation' });
  const charge = await charges.ask({
    orderId,
    customerId: customer.processorId,
    chargeId: order.chargeId ?? undefined,
    amountMinor,
    currency,
    title,
    language: (await existingAccount(ctx.em.fork(), accountId)).language,
  });
  if (order.chargeId !== charge.id) await noteCharge(ctx.em.fork(), orderId, { chargeId: charge.id, checkoutUrl: null });
  // The money is on its way: the processor's webhook will pay the order.
  if (charge.status === 'pending') return;
  const result: PayOutcome =
    charge.status === 'paid'
      ? { outcome: 'paid' }
      : await charges.pay({ chargeId: charge.id, meansId, key: `${charge.id}:automatic`, attended: false });
  if (result.outcome === 'pending') return;
  if (result.outcome === 'paid') return applyCharge(ctx, await charges.lookUp(charge.id));
  const left = await charges.giveUp(charge.id);
  if (left.status === 'paid') await applyCharge(ctx, left);
  else await decline(ctx, orderId, result);
}

const decline = (ctx: CheckoutContext, orderId: string, result: PayOutcome): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const order = await lockOrder(tx.em, orderId);
    if (!order || order.status !== 'PENDING') return;
    const { accountId } = order;
    const data = askedBy(order);
    if (!data) {
      await tellOfKeysOrder(tx, order, result.outcome === 'refused' ? result.message : undefined);
      return void (await giveUp(tx, order));
    }
    // Before the order ends, so that the seller hears the reason first.
    if (result.outcome === 'refused') await declineTopUp(tx, { accountId, data }, 'DECLINED', result.message);
    else await declineTopUp(tx, { accountId, data }, 'CONFIRMATION_NEEDED');
    await giveUp(tx, order);
  });

/** The program that holds the key reads what became of its order; its owner would not know. `words`: the bank's own. In the transaction of `ctx.em`. */
function tellOfKeysOrder(ctx: CheckoutContext, order: Order, words: string | undefined): Promise<void> {
  const { id, accountId, title, totalMinor: amountMinor, currency } = order;
  const total = formatMoney({ amountMinor, currency });
  const url = `${ctx.providers.publicUrl}/orders/${id}`;
  return postToOwner(ctx, accountId, 'key_order_declined', { title, total, url, ...(words !== undefined && { words }) });
}
