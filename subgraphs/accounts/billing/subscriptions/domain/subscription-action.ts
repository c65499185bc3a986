// What an owner may do with a subscription, and when. The guard, the disabled buttons and their reasons all use this table.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import type { Renewing } from './dunning.ts';

export type SubscriptionAction = 'cancel' | 'keep' | 'pay_now' | 'change_card' | 'change_method';

type Facts = Pick<Renewing, 'status' | 'isCharged' | 'cancelAtPeriodEnd' | 'asked'>;

const OVER = because('subscription_ended');

/** Action -> why it is not possible; undefined when it is. */
const REASONS: Record<SubscriptionAction, (facts: Facts) => Reason | undefined> = {
  cancel: ({ status, cancelAtPeriodEnd }) =>
    status === 'CANCELED' ? OVER : cancelAtPeriodEnd ? because('subscription_cancelled') : undefined,
  keep: ({ status, cancelAtPeriodEnd }) =>
    status === 'CANCELED' ? OVER : cancelAtPeriodEnd ? undefined : because('subscription_not_cancelled'),
  pay_now: ({ status, isCharged, asked }) =>
    status === 'CANCELED' ? OVER : !asked ? because('nothing_owed') : isCharged ? undefined : because('renewal_not_by_card'),
  change_card: ({ status, isCharged }) => (status === 'CANCELED' ? OVER : isCharged ? undefined : because('subscription_not_by_card')),
  change_method: ({ status }) => (status === 'CANCELED' ? OVER : undefined),
};

export const SUBSCRIPTION_ACTIONS = Object.keys(REASONS) as SubscriptionAction[];

/** Every action, with the reason where it is not possible now. */
export const subscriptionActions = (facts: Facts): ActionVerdict<SubscriptionAction>[] =>
  SUBSCRIPTION_ACTIONS.map((action) => verdictOf(action, REASONS[action](facts)));

/** Throws `action_not_allowed` with the reason when the action is not possible. */
export function checkSubscriptionAction(action: SubscriptionAction, facts: Facts): void {
  const reason = REASONS[action](facts);
  if (reason) throw fail('action_not_allowed', { reason });
}
