// A change of what recurs: sold as an order, in force once that is paid, refused when the subscription has moved on since it was priced.
import { type Reason, because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { type OfferSubscription, sumOfLines } from '#commerce/offers.ts';
import type { TakenPayment } from '../../payments/domain/payment-method.ts';
import { type BillingSubscription, lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import { hasPaidChange } from '../../orders/entities/order.ts';
import { methodOfProcessor } from '../../payments/providers/payment-methods.ts';
import type { Context } from '../../../context.ts';
import { giveBack } from '../../invoices/services/give-back.ts';
import { releaseCredit } from '../../ledger/services/hold-credit.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { announceSubscription } from './subscriptions.ts';

/** Why a change priced from `basedOn` cannot be made now; undefined when it can. */
export function whyNotChange(subscription: BillingSubscription | null, { basedOn, months }: OfferSubscription): Reason | undefined {
  if (!subscription) return because('subscription_unknown');
  if (subscription.version !== basedOn || subscription.intervalCount !== months) return because('subscription_moved');
  return subscription.status === 'ACTIVE' && !subscription.renewalOrderId ? undefined : because('subscription_not_current');
}

/** A paid change that is not delivered: the seller has priced the next one from what is not there yet, whatever version it knew. */
const whyNotYet = async ({ em }: Context, subscriptionId: string): Promise<Reason | undefined> =>
  (await hasPaidChange(em, subscriptionId)) ? because('subscription_change_waits') : undefined;

/** Before it is ordered, under the subscription's lock. Errors: offer_invalid with the reason, also for another account's subscription. */
export async function checkChange(ctx: Context, accountId: string, terms: OfferSubscription): Promise<void> {
  const found = await lockSubscription(ctx.em, terms.id);
  const reason = whyNotChange(found?.accountId === accountId ? found : null, terms) ?? (await whyNotYet(ctx, terms.id));
  if (reason) throw fail('offer_invalid', { reason });
}

/** A paid change, in the transaction of its payment. The renewal date stays. The caller holds both locks, and has moved the order. */
export async function changeSubscription(ctx: Context, order: Order, subscription: BillingSubscription): Promise<void> {
  if (!order.subscription) throw new Error(`order ${order.id} changes nothing`);
  const { lines } = order.subscription;
  order.subscription = { ...order.subscription, before: subscription.lines };
  Object.assign(subscription, { lines, amountMinor: sumOfLines(lines), title: order.subscription.title ?? subscription.title });
  await announceSubscription(ctx, subscription, 'subscription.changed');
  await giveBack(ctx, order);
}

/** Money for a change or a renewal that cannot be made any more is the customer's: account credit, and a mail that says so. Once per payment. */
export async function creditInstead(ctx: Context, order: Order, payment: TakenPayment | undefined): Promise<void> {
  const { accountId, currency, title, totalMinor } = order;
  if (moveOrder(order, 'cancelled')) await announceOrder(ctx, order, 'order.cancelled');
  await releaseCredit(ctx, order);
  const method = payment && methodOfProcessor(payment.processor);
  // What arrives in parts becomes credit where it is counted, with what came in excess.
  if (!payment || !method || method.parts) return;
  const { ledger: into } = method;
  const reference = `${payment.processor}:${payment.processorId}`;
  const data = { accountId, amountMinor: totalMinor, into };
  if (!(await postJournal(ctx, 'payment_credited', { reference, currency, note: title, data }))) return;
  const amount = formatMoney({ amountMinor: totalMinor, currency });
  await postToOwner(ctx, accountId, 'change_not_made', { title, amount, url: `${ctx.providers.publicUrl}/billing` });
}
