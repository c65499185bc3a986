// Takes the steps of subscriptions that become due with time. A sweep finds them each minute; each step is safe to repeat.
import { DAY, after, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { type Step, removalAt, stepAt } from '../../subscriptions/domain/dunning.ts';
import {
  type BillingSubscription,
  subscriptionIdAt,
  subscriptionWithId,
  subscriptionsToDo,
} from '../../subscriptions/entities/billing-subscription.ts';
import { type Order, openRenewals } from '../../orders/entities/order.ts';
import { chargedMethods, chargesOf } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { askForRenewal } from './ask-for-renewal.ts';
import { applyCharge, attemptRenewal } from './attempt-renewal.ts';
import { noticeRenewal } from './notice-renewal.ts';
import { endNow } from '../../subscriptions/services/cancel-subscription.ts';
import { isAccountSuspended } from '../../../identity/entities/account.ts';
import { coverRenewal } from './cover-renewal.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { lockRenewal, notifyRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { renewingOf } from '../../subscriptions/services/subscriptions.ts';
import { giveUpCharge } from './sync-subscription.ts';

/** Step -> what it does; false when it cannot be done yet. */
const STEPS: Record<Step, (ctx: SubscriptionsContext, subscription: BillingSubscription) => Promise<boolean>> = {
  notice: noticeRenewal,
  end: (ctx, { id }) => endNow(ctx, id, 'CANCELLED'),
  ask: askForRenewal,
  remind,
  attempt: attemptRenewal,
  warn,
  remove: (ctx, { id }) => endNow(ctx, id, 'UNPAID'),
};
/** After a long outage several steps are due at once; more than these are a bug. */
const MAX_STEPS = 50;

/** Takes the steps that are due for one subscription, in order, until none is. */
export async function stepSubscription(ctx: SubscriptionsContext, id: string): Promise<void> {
  for (let count = 0; count < MAX_STEPS; count++) {
    const subscription = await subscriptionWithId(ctx.em.fork(), id);
    const step = subscription && stepAt(renewingOf(subscription), ctx.clock.now(), ctx.providers.dunning);
    if (!subscription || !step || (await isHeld(ctx, subscription, step))) return;
    // No step is taken when account credit can pay the renewal.
    if (subscription.renewalOrderId && (await coverRenewal(ctx, id))) continue;
    if (!(await STEPS[step](ctx, subscription))) return;
  }
}

/**
 * Whether a step has to wait: while the account is suspended or a payment is disputed, nothing is asked for, charged or removed. A subscription that was
 * cancelled before ends all the same.
 */
const isHeld = async ({ em }: SubscriptionsContext, { accountId, frozenAt }: BillingSubscription, step: Step): Promise<boolean> =>
  step !== 'end' && (Boolean(frozenAt) || (await isAccountSuspended(em.fork(), accountId)));

/** Takes a step in one transaction, if it is still due. */
const stepInTransaction = (
  ctx: SubscriptionsContext,
  id: string,
  step: Step,
  work: (tx: SubscriptionsContext, subscription: BillingSubscription, renewal: Order) => Promise<void>,
) =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (!subscription || !renewal || stepAt(renewingOf(subscription), ctx.clock.now(), ctx.providers.dunning) !== step) return false;
    await work(tx, subscription, renewal);
    return true;
  });

function remind(ctx: SubscriptionsContext, { id }: BillingSubscription): Promise<boolean> {
  return stepInTransaction(ctx, id, 'remind', async (tx, subscription, renewal) => {
    subscription.reminders += 1;
    if (renewal.status === 'PENDING') await notifyRenewal(tx, subscription, renewal);
  });
}

function warn(ctx: SubscriptionsContext, { id }: BillingSubscription): Promise<boolean> {
  return stepInTransaction(ctx, id, 'warn', async (tx, subscription, renewal) => {
    const removalWarnedAt = ctx.clock.now();
    Object.assign(subscription, { removalWarnedAt });
    const on = removalAt({ suspendedAt: subscription.suspendedAt ?? null, removalWarnedAt }, ctx.providers.dunning) ?? removalWarnedAt;
    await postToOwner(tx, subscription.accountId, 'removal_near', {
      title: subscription.title,
      on: toDay(on),
      url: `${ctx.providers.publicUrl}/orders/${renewal.id}`,
    });
  });
}

/** Enqueues every subscription with a step that is due, and those whose state at the processor is out of date. */
export async function sweepSubscriptions(ctx: SubscriptionsContext): Promise<void> {
  const now = ctx.clock.now();
  const { askedDays, noticeDays, longNoticeDays } = ctx.providers.dunning;
  const ahead = (days: number) => after(now, days * DAY);
  const moments = { now, askedBy: ahead(askedDays), noticedBy: ahead(noticeDays), longNoticedBy: ahead(longNoticeDays) };
  for await (const { id, due: isDue, unsynced } of subscriptionsToDo(ctx.em, chargedMethods(), moments)) {
    if (isDue) await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-step', { id }, { key: id });
    if (unsynced) await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-sync', { id }, { key: id });
  }
}

/** Enqueues the steps of the subscription that has this id at the processor; they run after the commit. */
export async function stepLater(ctx: SubscriptionsContext, processorId: string): Promise<void> {
  const id = await subscriptionIdAt(ctx.em, processorId);
  if (id) await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-step', { id }, { key: id });
}

/** Finds payments of renewals whose notices were lost. */
export async function reconcileRenewals(ctx: SubscriptionsContext): Promise<void> {
  for await (const { id, status, method, chargeId } of openRenewals(ctx.em))
    try {
      if (status !== 'PENDING') await giveUpCharge(ctx, id);
      else if (chargeId) await applyCharge(ctx, await chargesOf(ctx.providers, method).lookUp(chargeId));
    } catch (error) {
      ctx.log.error({ order: id, error: String(error) }, 'a renewal could not be reconciled');
    }
}
