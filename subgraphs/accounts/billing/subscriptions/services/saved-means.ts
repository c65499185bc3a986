// Decides which of an account's saved means pays for what.
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { accountsWithMeans, forgetDefaultMeans, setFirstDefaultMeans } from '../../payments/entities/processor-customer.ts';
import type { MethodName, Processor } from '../../payments/domain/payment-method.ts';
import { chargedMethods, methodOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../context.ts';
import { forgetMeans, giveMeans } from '../entities/billing-subscription.ts';

/**
 * Gives newly saved means to the subscriptions that are paid by this method and have none, and makes them the default where there is none. In the transaction
 * of `ctx.em`.
 */
export async function adoptMeans(ctx: SubscriptionsContext, name: MethodName, accountId: string, meansId: string): Promise<void> {
  await lockMoneyOf(ctx.em, accountId);
  await setFirstDefaultMeans(ctx.em, methodOf(name).processor, accountId, meansId);
  for (const id of await giveMeans(
    ctx.em,
    accountId,
    meansId,
    chargedMethods().filter((charged) => charged === name),
  ))
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id }, { key: id });
}

/** Forgets means that their owner has removed at the processor: nothing renews by them. In the transaction of `ctx.em`. */
export async function loseMeans(ctx: SubscriptionsContext, processor: Processor, meansId: string): Promise<void> {
  for (const accountId of await accountsWithMeans(ctx.em, processor, meansId)) {
    await lockMoneyOf(ctx.em, accountId);
    await forgetDefaultMeans(ctx.em, accountId, meansId);
    await forgetMeans(ctx.em, accountId, meansId);
  }
}
