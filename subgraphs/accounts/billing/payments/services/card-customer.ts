// An account as the card processor knows it, and which of its cards pays for what.
import { existingAccount } from '../../../identity/entities/account.ts';
import { giveCard } from '../../subscriptions/entities/billing-subscription.ts';
import { CardCustomer, customerOfAccount, insertCustomer, setFirstDefaultCard } from '../entities/card-customer.ts';
import { chargedMethods, savedMeansOf } from '../providers/payment-methods.ts';
import type { Context } from '../../../providers.ts';

/** The account at the processor, made when it is first needed. */
export async function customerOf(ctx: Context, accountId: string): Promise<CardCustomer> {
  const em = ctx.em.fork();
  const known = await customerOfAccount(em, accountId);
  if (known) return known;
  const { email } = await existingAccount(em, accountId);
  const processorId = await savedMeansOf(ctx.providers).customer({ accountId, email: email ?? undefined });
  await insertCustomer(em, accountId, processorId);
  return ctx.em.fork().findOneOrFail(CardCustomer, { accountId });
}

/** A card was saved: what has none renews by it. In the transaction of `ctx.em`. */
export async function adoptCard(ctx: Context, accountId: string, cardId: string): Promise<void> {
  await setFirstDefaultCard(ctx.em, accountId, cardId);
  for (const id of await giveCard(ctx.em, accountId, cardId, chargedMethods()))
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id }, { key: id });
}
