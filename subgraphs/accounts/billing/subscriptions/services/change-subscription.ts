// Changes what recurs. A change is sold as an order and takes effect when that is paid; it is refused when the subscription has changed since it was priced.
import { newId } from '#platform/ids.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { type OfferSubscription, type OfferTerms, sumOfLines } from '#commerce/offers.ts';
import type { TakenPayment } from '../../payments/domain/payment-method.ts';
import { type BillingSubscription, lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import { hasPaidChange } from '../../orders/entities/order.ts';
import { insertPayment } from '../../payments/entities/payment.ts';
import { methodOfProcessor } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../context.ts';
import { giveBack } from '../../invoices/services/give-back.ts';
import { releaseCredit } from '../../orders/services/hold-credit.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { announceSubscription } from './subscriptions.ts';

/** Why a change that was priced from version `basedOn` cannot be made now; undefined when it can. */
export function whyNotChange(subscription: BillingSubscription | null, { basedOn, months }: OfferSubscription): Reason | undefined {
  if (!subscription) return because('subscription_unknown');
  if (subscription.version !== basedOn || subscription.intervalCount !== months) return because('subscription_moved');
  return subscription.status === 'ACTIVE' && !subscription.renewalOrderId ? undefined : because('subscription_not_current');
}

/**
 * Why a change has to be refused because of another paid change that was not delivered when this one was priced: the seller has then calculated from an
 * outdated plan or server, whatever version it knew. One that was delivered since has changed the subscription.
 */
async function whyNotYet({ em }: SubscriptionsContext, subscriptionId: string, pricedAt: string | undefined): Promise<Reason | undefined> {
  if (await hasPaidChange(em, subscriptionId)) return because('subscription_change_waits');
  const since = pricedAt === undefined ? undefined : new Date(pricedAt);
  return since && (await hasPaidChange(em, subscriptionId, since)) ? because('subscription_moved') : undefined;
}

/** Checks a change before it is ordered, under the subscription's lock. Errors: offer_invalid with the reason, also for another account's subscription. */
export async function checkChange(
  ctx: SubscriptionsContext,
  { accountId, pricedAt }: Pick<OfferTerms, 'accountId' | 'pricedAt'>,
  terms: OfferSubscription,
): Promise<void> {
  const found = await lockSubscription(ctx.em, terms.id);
  const reason = whyNotChange(found?.accountId === accountId ? found : null, terms) ?? (await whyNotYet(ctx, terms.id, pricedAt));
  if (reason) throw fail('offer_invalid', { reason });
}

/** Makes a paid change, in the transaction of its payment; the renewal date stays. The caller holds both locks, and has moved the order. */
export async function changeSubscription(ctx: SubscriptionsContext, order: Order, subscription: BillingSubscription): Promise<void> {
  if (!order.subscription) throw new Error(`order ${order.id} changes nothing`);
  const { lines } = order.subscription;
  order.subscription = { ...order.subscription, before: subscription.lines };
  Object.assign(subscription, { lines, amountMinor: sumOfLines(lines), title: order.subscription.title ?? subscription.title });
  await announceSubscription(ctx, subscription, 'subscription.changed');
  await giveBack(ctx, order);
}

/** Turns the payment of a change or renewal that can no longer be made into account credit, and mails that; once per payment. */
export async function creditInstead(ctx: SubscriptionsContext, order: Order, payment: TakenPayment | undefined): Promise<void> {
  const { currency, totalMinor } = order;
  if (moveOrder(order, 'cancelled')) await announceOrder(ctx, order, 'order.cancelled');
  await releaseCredit(ctx, order);
  const method = payment && methodOfProcessor(payment.processor);
  // Money that arrives in parts becomes credit where it is counted, with any excess.
  if (!payment || !method || method.parts) return;
  await creditPayment(ctx, order, payment, { amountMinor: totalMinor - (payment.shortMinor ?? 0), currency });
}

/** Turns money that was taken for an order that does not need it into account credit, and mails that; once per payment. */
export async function creditPayment(
  ctx: SubscriptionsContext,
  { id: orderId, accountId, title }: Pick<Order, 'id' | 'accountId' | 'title'>,
  { processor, processorId }: TakenPayment,
  { amountMinor, currency }: { amountMinor: number; currency: string },
): Promise<void> {
  const reference = `${processor}:${processorId}`;
  const data = { accountId, amountMinor, into: methodOfProcessor(processor).ledger };
  if (!(await postJournal(ctx, 'payment_credited', { reference, currency, note: title, data }))) return;
  const id = newId('pay', ctx.clock);
  await insertPayment(ctx.em, { id, orderId, processor, processorId, amountMinor, currency, paidAt: ctx.clock.now(), credited: true });
  const amount = formatMoney({ amountMinor, currency });
  await postToOwner(ctx, accountId, 'change_not_made', { title, amount, url: `${ctx.providers.publicUrl}/billing` });
}
