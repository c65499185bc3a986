// What happens to an account's payments when it closes: its checkouts close, its credit is paid out, and processors forget it.
import { formatMoney } from '#commerce/money.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { creditsOfAccount } from '../../ledger/entities/credit-balance.ts';
import { lockOrder, pendingIdsOf } from '../../orders/entities/order.ts';
import { customersOfAccount, customersOfClosedAccounts, forgetCustomer } from '../../payments/entities/processor-customer.ts';
import { methodOfProcessor, savedMeansOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { giveUp } from '../../orders/services/orders.ts';
import { payOutClosed } from './pay-out-credit.ts';

/**
 * In the transaction that closes an account: closes its checkouts, pays its credit out to the charges it came from, tells the owner what is left of it
 * and how to get that, and enqueues the job by which processors forget the account.
 */
export async function closePayments(ctx: SubscriptionsContext, accountId: string): Promise<void> {
  const held = new Map<string, number>();
  for (const id of await pendingIdsOf(ctx.em, accountId)) {
    const order = await lockOrder(ctx.em, id);
    if (order && (await giveUp(ctx, order))) held.set(order.currency, (held.get(order.currency) ?? 0) + order.creditMinor);
  }
  const { email } = await existingAccount(ctx.em, accountId);
  await payOutClosed(ctx, accountId);
  for (const { currency, amountMinor: freeMinor } of await creditsOfAccount(ctx.em, accountId)) {
    const amountMinor = freeMinor + (held.get(currency) ?? 0);
    const { supportEmail } = ctx.providers;
    if (email && amountMinor > 0)
      await postMail(ctx, email, 'credit_left', {
        amount: formatMoney({ amountMinor, currency }),
        account: accountId,
        support: supportEmail,
      });
  }
  if ((await customersOfAccount(ctx.em, accountId)).length > 0)
    await ctx.jobs.enqueue(ctx.em, 'accounts.customer-forget', { accountId }, { key: accountId });
}

/** Has each processor delete the account's customer with its cards. Safe to repeat. */
export async function forgetAtProcessor(ctx: SubscriptionsContext, accountId: string): Promise<void> {
  for (const { processor, processorId } of await customersOfAccount(ctx.em.fork(), accountId)) {
    await savedMeansOf(ctx.providers, methodOfProcessor(processor).name).forget(processorId);
    await forgetCustomer(ctx.em.fork(), processor, accountId);
  }
}

/** Repeats it for closed accounts whose job was lost. */
export async function forgetClosed(ctx: SubscriptionsContext): Promise<void> {
  for (const { accountId } of await customersOfClosedAccounts(ctx.em.fork()))
    await ctx.jobs.enqueue(ctx.em, 'accounts.customer-forget', { accountId }, { key: accountId });
}
