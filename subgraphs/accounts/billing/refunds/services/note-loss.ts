// The loss of a payment: what its payer has got back beyond the invoice, from the bank or by hand. Refunds that did not arrive are reduced by it.
import { sumOfAmounts } from '#commerce/money.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import { presentPayment } from '../../payments/entities/payment.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { endAgainstLoss, oweAgain, promisedOf } from './end-refund.ts';

/** Adds `lostMinor` to the loss of a payment; below zero: takes it away. The caller holds the order's lock. */
export async function noteLoss(
  ctx: SubscriptionsContext,
  destination: MethodName,
  { id }: { id: string },
  lostMinor: number,
): Promise<void> {
  const payment = await presentPayment(ctx.em, id);
  if (lostMinor === 0) return;
  payment.lostMinor += lostMinor;
  await ctx.em.flush();
  const refunds = await promisedOf(ctx.em, payment, destination);
  for (const refund of refunds) if (refund.status === 'FAILED') await endAgainstLoss(ctx, refund);
  const ended = refunds.filter(({ againstLoss }) => againstLoss);
  let endedMinor = sumOfAmounts(ended);
  for (const refund of ended.toReversed()) {
    if (endedMinor <= payment.lostMinor) return;
    endedMinor -= refund.amountMinor;
    await oweAgain(ctx, refund);
  }
}
