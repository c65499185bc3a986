// Reactions to what sellers announce of the prices of running subscriptions: owners are told at once, and renewals cost it from the announced day on.
import { toDay } from '#platform/clock.ts';
import type { EventOf } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { type OfferLine, sumOfLines, taxOf } from '#commerce/offers.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { taxPositionOf } from '../../tax/services/tax-position.ts';
import type { SubscriptionsContext } from '../context.ts';
import { firstPeriodAt, isUpToDate } from '../domain/repricing.ts';
import { type BillingSubscription, lockSubscription } from '../entities/billing-subscription.ts';
import { type Repricing, dropRepricing, repricingOf, storeRepricing } from '../entities/repricing.ts';

/** `repricing.announced`: stores the price, and mails the owner unless the mail would say what the last one did. */
export async function storeAnnounced(ctx: SubscriptionsContext, { subject, data }: EventOf<'repricing.announced'>): Promise<void> {
  const subscription = await lockSubscription(ctx.em, subject);
  if (!subscription || subscription.status === 'CANCELED') return;
  const told = toldAmount(subscription, await repricingOf(ctx.em, subject));
  const announced = { ...data, subscriptionId: subject, announcedAt: ctx.clock.now() };
  await storeRepricing(ctx.em, announced);
  await syncLater(ctx, subscription);
  // Computed before a change that the seller has yet to hear of: it comes again.
  if (isUpToDate(announced, subscription) && sumOfLines(data.lines) !== told) await tell(ctx, subscription, announced, 'price_changes');
}

/** `repricing.withdrawn`: the subscription goes on costing what it costs, and its owner is told so. */
export async function dropAnnounced(ctx: SubscriptionsContext, { subject, data }: EventOf<'repricing.withdrawn'>): Promise<void> {
  const subscription = await lockSubscription(ctx.em, subject);
  const announced = await repricingOf(ctx.em, subject);
  if (!subscription || announced?.repricingId !== data.repricingId) return;
  if (toldAmount(subscription, announced) !== subscription.amountMinor) await tell(ctx, subscription, announced, 'price_stays');
  await dropRepricing(ctx.em, subject);
  await syncLater(ctx, subscription);
}

/** What the owner knows that a period will cost, before tax. */
const toldAmount = (subscription: BillingSubscription, announced: Repricing | null): number =>
  announced && isUpToDate(announced, subscription) ? sumOfLines(announced.lines) : subscription.amountMinor;

async function tell(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  announced: Pick<Repricing, 'appliesFrom' | 'lines'>,
  kind: 'price_changes' | 'price_stays',
): Promise<void> {
  const { accountId, title, currency, lines } = subscription;
  const { basisPoints } = await taxPositionOf(ctx, accountId);
  const amountOf = (recurring: readonly OfferLine[]) => {
    const amountMinor = sumOfLines(recurring);
    return formatMoney({ amountMinor: amountMinor + taxOf(amountMinor, basisPoints), currency });
  };
  await postToOwner(ctx, accountId, kind, {
    title,
    before: amountOf(lines),
    after: amountOf(announced.lines),
    on: toDay(firstPeriodAt(announced, subscription)),
    url: `${ctx.providers.publicUrl}/billing?tab=subscriptions`,
  });
}

/** The processor's subscription has the lines of the next period. */
async function syncLater(ctx: SubscriptionsContext, subscription: BillingSubscription): Promise<void> {
  subscription.syncedVersion = null;
  await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id: subscription.id }, { key: subscription.id });
}
