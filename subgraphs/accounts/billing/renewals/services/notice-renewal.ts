// Mails owners before their card is charged: for what, how much, when; or that the card will have expired by then.
import { toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { formatMoney } from '#commerce/money.ts';
import { stepAt } from '../../subscriptions/domain/dunning.ts';
import { expiresBefore } from '../domain/card-expiry.ts';
import { type BillingSubscription, lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { customerOfAccount } from '../../payments/entities/processor-customer.ts';
import { methodOf, savedMeansOf } from '../../payments/providers/payment-methods.ts';
import type { SavedMeans } from '../../payments/providers/saved-means.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { priceRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { renewingOf } from '../../subscriptions/services/subscriptions.ts';

/** Mails once per period. When the processor cannot be asked for the card now, it is tried again later. */
export async function noticeRenewal(ctx: SubscriptionsContext, seen: BillingSubscription): Promise<boolean> {
  const { id, accountId } = seen;
  const card = await meansOf(ctx, seen);
  return inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const subscription = await lockSubscription(tx.em, id);
    if (!subscription || stepAt(renewingOf(subscription), ctx.clock.now(), ctx.providers.dunning) !== 'notice') return false;
    const { title, currency, currentPeriodEnd } = subscription;
    subscription.noticedFor = currentPeriodEnd;
    const { totalMinor: amountMinor } = await priceRenewal(tx, subscription);
    const said = {
      title,
      amount: formatMoney({ amountMinor, currency }),
      on: toDay(currentPeriodEnd),
      url: `${ctx.providers.publicUrl}/billing?tab=subscriptions`,
    };
    if (card && expiresBefore(card, currentPeriodEnd)) {
      const expires = `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`;
      await postToOwner(tx, accountId, 'card_expires', { ...said, lastFour: card.lastFour, expires });
    } else await postToOwner(tx, accountId, 'renewal_upcoming', { ...said, ...(card?.lastFour && { lastFour: card.lastFour }) });
    return true;
  });
}

async function meansOf(ctx: SubscriptionsContext, { accountId, method, meansId }: BillingSubscription): Promise<SavedMeans | undefined> {
  const customer = meansId ? await customerOfAccount(ctx.em.fork(), methodOf(method).processor, accountId) : null;
  if (!customer) return undefined;
  return (await savedMeansOf(ctx.providers, method).list(customer.processorId)).find(({ id }) => id === meansId);
}
