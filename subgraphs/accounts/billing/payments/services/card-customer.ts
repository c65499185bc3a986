// An account as the card processor knows it, and which of its cards pays for what.
import { Account } from '../../../identity/entities/account.ts';
import { BillingSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { CardCustomer } from '../entities/card-customer.ts';
import { chargedMethods, savedMeansOf } from '../providers/payment-methods.ts';
import type { Context } from '../../../providers.ts';

/** The account at the processor, made when it is first needed. */
export async function customerOf(ctx: Context, accountId: string): Promise<CardCustomer> {
  const em = ctx.em.fork();
  const known = await em.findOne(CardCustomer, { accountId });
  if (known) return known;
  const { email } = await em.findOneOrFail(Account, { id: accountId });
  const processorId = await savedMeansOf(ctx.providers).customer({ accountId, email: email ?? undefined });
  await em.qb(CardCustomer).insert({ accountId, processorId, defaultCardId: null }).onConflict().ignore().execute('run');
  return ctx.em.fork().findOneOrFail(CardCustomer, { accountId });
}

/** A card was saved: what has none renews by it. In the transaction of `ctx.em`. */
export async function adoptCard(ctx: Context, accountId: string, cardId: string): Promise<void> {
  await ctx.em.nativeUpdate(CardCustomer, { accountId, defaultCardId: null }, { defaultCardId: cardId });
  const without = { accountId, cardId: null, method: { $in: chargedMethods() }, status: { $ne: 'CANCELED' as const } };
  for (const { id } of await ctx.em.find(BillingSubscription, without, { fields: ['id'] })) {
    await ctx.em.nativeUpdate(BillingSubscription, { id }, { cardId, syncedVersion: null });
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id }, { key: id });
  }
}
