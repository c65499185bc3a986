// The words and colours for the states of a subscription, in one place.
import type { Subscription } from '#lib/ops/subscription.ts';
import { formatInstant } from '#lib/format/dates.ts';
import { t } from '#lib/text/payments.ts';
import type { Tone } from '#lib/ui/tone.ts';

const text = t.subscriptions;

export const subscriptionTone = ({ endedAt, status, cancelAtPeriodEnd }: Subscription): Tone => {
  if (endedAt) return 'plain';
  if (status === 'UNPAID') return 'bad';
  return status === 'PAST_DUE' || cancelAtPeriodEnd ? 'warn' : 'ok';
};

export const subscriptionState = ({ endedAt, status, cancelAtPeriodEnd }: Subscription): string => {
  if (endedAt) return text.states.ended;
  if (status === 'UNPAID') return text.states.suspended;
  if (status === 'PAST_DUE') return text.states.pastDue;
  return cancelAtPeriodEnd ? text.states.ending : text.states.active;
};

/** What happens next with a subscription, and when. */
export function whatNext({
  endedAt,
  endReason,
  status,
  cancelAtPeriodEnd,
  currentPeriodEnd,
  nextAttemptAt,
  removalAt,
}: Subscription): string {
  if (endedAt) return text.endedAt(formatInstant(endedAt), endReason ? text.endReasons[endReason] : '');
  if (status === 'UNPAID') return removalAt ? text.removedAt(formatInstant(removalAt)) : text.unpaid;
  if (status === 'PAST_DUE') return nextAttemptAt ? text.triedAgainAt(formatInstant(nextAttemptAt)) : text.pastDue;
  const end = formatInstant(currentPeriodEnd);
  return cancelAtPeriodEnd ? text.endsAt(end) : text.renewsAt(end);
}
