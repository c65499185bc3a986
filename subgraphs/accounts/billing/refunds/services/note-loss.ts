// What a payer has of a payment beyond what its invoice covers, since the bank keeps it or it was given back by hand: refunds that did not arrive follow it.
import { sumOfAmounts } from '#commerce/money.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import { presentPayment } from '../../payments/entities/payment.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { endAgainstLoss, oweAgain, promisedOf } from './end-refund.ts';

/** Of a payment `lostMinor` more is lost; below zero: less. The caller holds the lock of its order. */
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
