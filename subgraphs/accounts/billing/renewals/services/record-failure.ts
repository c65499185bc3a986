// Records a failed attempt to collect a renewal: its place in the table of days, the bank's codes, and a mail that says what to do.
import { DAY, after, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, sentenceOf } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { formatMoney } from '#commerce/money.ts';
import { onFailed } from '../../subscriptions/domain/renewal.ts';
import { type BillingSubscription, lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { insertAttempt } from '../entities/renewal-attempt.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { Refused } from '../../payments/providers/recurring-charges.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { lockRenewal } from '../../subscriptions/services/renew-subscription.ts';
import { applyOutcome, renewingOf } from '../../subscriptions/services/subscriptions.ts';

interface Failure {
  order: Order;
  /** The number of the attempt: recording it again changes nothing. */
  attempt: number;
  reason: Reason;
  meansId: string | null;
  /** The bank's answer; undefined: it was not asked, or wants the owner to confirm. */
  refused: Refused | undefined;
}

/** For means that were refused for good before: the bank was not asked. */
export const REFUSED_BEFORE: Refused = {
  outcome: 'refused',
  message: '',
  isFinal: true,
  whatToDo: 'other_means',
  declineCode: null,
  adviceCode: null,
};

/** Counts a failed attempt, once, and sends one mail; the last attempt suspends the subscription. */
export const recordFailure = (ctx: SubscriptionsContext, id: string, failure: Failure): Promise<boolean> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const { order, attempt, meansId, reason, refused } = failure;
    const { subscription, renewal } = await lockRenewal(tx, id);
    if (!subscription || renewal?.id !== order.id || renewal.status !== 'PENDING' || subscription.failures !== attempt - 1) return false;
    if (!(await applyOutcome(tx, subscription, onFailed(renewingOf(subscription), ctx.clock.now(), ctx.providers.dunning)))) return false;
    if (refused !== REFUSED_BEFORE && meansId)
      await noteAttempt(tx, subscription, { orderId: order.id, meansId, reason: sentenceOf(reason), refused, attended: false });
    await notifyFailure(tx, subscription, renewal, failure);
    return true;
  });

/** Records a refused attempt that the owner has made, and whose answer they have seen. */
export const recordRefusal = (
  ctx: SubscriptionsContext,
  id: string,
  { orderId, meansId, refused }: { orderId: string; meansId: string; refused: Refused },
): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    const subscription = await lockSubscription(tx.em, id);
    if (subscription) await noteAttempt(tx, subscription, { orderId, meansId, reason: refused.message, refused, attended: true });
  });

/** Stores the attempt, and remembers means that the bank will never accept, so that they are not tried again. */
async function noteAttempt(
  ctx: SubscriptionsContext,
  subscription: BillingSubscription,
  { refused, ...attempt }: { orderId: string; meansId: string; reason: string; attended: boolean; refused: Refused | undefined },
): Promise<void> {
  const isFinal = refused?.isFinal ?? false;
  if (isFinal && subscription.meansId === attempt.meansId) subscription.refusedMeansId = attempt.meansId;
  await insertAttempt(ctx.em, {
    ...attempt,
    id: newId('att', ctx.clock),
    subscriptionId: subscription.id,
    declineCode: refused?.declineCode ?? null,
    adviceCode: refused?.adviceCode ?? null,
    isFinal,
    attemptedAt: ctx.clock.now(),
  });
}

async function notifyFailure(
  ctx: SubscriptionsContext,
  { accountId, title, nextAttemptAt, failedAt, status }: BillingSubscription,
  { id, totalMinor: amountMinor, currency }: Order,
  { attempt, reason, refused }: Failure,
): Promise<void> {
  const { retryDays, graceDays } = ctx.providers.dunning;
  const now = ctx.clock.now();
  const suspended = after(failedAt ?? now, (retryDays.at(-1) ?? 0) * DAY);
  const said = { title, reason, amount: formatMoney({ amountMinor, currency }), url: `${ctx.providers.publicUrl}/orders/${id}` };
  if (refused?.isFinal && status !== 'UNPAID')
    return postToOwner(ctx, accountId, 'renewal_card_refused', { ...said, until: toDay(suspended) });
  await postToOwner(ctx, accountId, status === 'UNPAID' ? 'renewal_suspended' : 'renewal_failed', {
    ...said,
    attempt,
    attempts: retryDays.length,
    graceDays,
    next: toDay(nextAttemptAt ?? now),
    ...(refused && { advice: refused.whatToDo }),
  });
}
