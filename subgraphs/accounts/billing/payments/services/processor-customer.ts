// An account as the processor knows it, and which of its means pays for what.
import { existingAccount } from '../../../identity/entities/account.ts';
import { giveMeans } from '../../subscriptions/entities/billing-subscription.ts';
import {
  type ProcessorCustomer,
  customerOfAccount,
  existingCustomer,
  insertCustomer,
  setFirstDefaultMeans,
} from '../entities/processor-customer.ts';
import { chargedMethods, savedMeansOf } from '../providers/payment-methods.ts';
import type { Context } from '../../../context.ts';

/** The account at the processor, made when it is first needed. */
export async function customerOf(ctx: Context, accountId: string): Promise<ProcessorCustomer> {
  const em = ctx.em.fork();
  const known = await customerOfAccount(em, accountId);
  if (known) return known;
  const { email } = await existingAccount(em, accountId);
  const processorId = await savedMeansOf(ctx.providers).customer({ accountId, email: email ?? undefined });
  await insertCustomer(em, accountId, processorId);
  return existingCustomer(ctx.em.fork(), accountId);
}

/** Means were saved: what has none renews by them. In the transaction of `ctx.em`. */
export async function adoptMeans(ctx: Context, accountId: string, meansId: string): Promise<void> {
  await setFirstDefaultMeans(ctx.em, accountId, meansId);
  for (const id of await giveMeans(ctx.em, accountId, meansId, chargedMethods()))
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id }, { key: id });
}
