// An account as the processor knows it, and which of its means pays for what.
import { existingAccount, lockMoneyOf } from '../../../identity/entities/account.ts';
import { forgetMeans, giveMeans } from '../../subscriptions/entities/billing-subscription.ts';
import {
  type ProcessorCustomer,
  accountsWithMeans,
  customerOfAccount,
  existingCustomer,
  forgetDefaultMeans,
  insertCustomer,
  setFirstDefaultMeans,
} from '../entities/processor-customer.ts';
import type { MethodName, Processor } from '../domain/payment-method.ts';
import { chargedMethods, methodOf, savedMeansOf } from '../providers/payment-methods.ts';
import type { BillingContext } from '../../context.ts';

/** The account at the processor of a method, made when it is first needed. */
export async function customerOf(ctx: BillingContext, name: MethodName, accountId: string): Promise<ProcessorCustomer> {
  const em = ctx.em.fork();
  const { processor } = methodOf(name);
  const known = await customerOfAccount(em, processor, accountId);
  if (known) return known;
  const { email } = await existingAccount(em, accountId);
  const processorId = await savedMeansOf(ctx.providers, name).customer({ accountId, email: email ?? undefined });
  await insertCustomer(em, processor, accountId, processorId);
  return existingCustomer(ctx.em.fork(), processor, accountId);
}

/** Means were saved: what is paid by this method and has none renews by them. In the transaction of `ctx.em`. */
export async function adoptMeans(ctx: BillingContext, name: MethodName, accountId: string, meansId: string): Promise<void> {
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

/** Their owner has taken them back at the processor: nothing renews by them. In the transaction of `ctx.em`. */
export async function loseMeans(ctx: BillingContext, processor: Processor, meansId: string): Promise<void> {
  for (const accountId of await accountsWithMeans(ctx.em, processor, meansId)) {
    await lockMoneyOf(ctx.em, accountId);
    await forgetDefaultMeans(ctx.em, accountId, meansId);
    await forgetMeans(ctx.em, accountId, meansId);
  }
}
