// A change that waits for its payment (`payment_behavior=pending_if_incomplete`): it is applied when paid, and dropped after 23 hours.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';

export const PENDING_SECONDS = 23 * 60 * 60;

export function keepPendingUpdate(
  books: Books,
  subscription: Stripe.Subscription,
  { items, anchor }: { items: Stripe.SubscriptionItem[]; anchor: number },
): void {
  books.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = {
      billing_cycle_anchor: anchor === subscription.billing_cycle_anchor ? null : anchor,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: books.now() + PENDING_SECONDS,
      metadata: null,
      subscription_items: structuredClone(items),
      trial_end: null,
      trial_from_plan: null,
    };
  });
}

export function applyPendingUpdate(books: Books, subscription: Stripe.Subscription): void {
  const { subscription_items: items, billing_cycle_anchor: anchor } = subscription.pending_update ?? {};
  books.change('customer.subscription.updated', subscription, () => {
    if (items) subscription.items.data = items;
    if (anchor) subscription.billing_cycle_anchor = anchor;
    subscription.pending_update = null;
  });
  books.emit('customer.subscription.pending_update_applied', subscription);
}

export function dropPendingUpdate(books: Books, subscription: Stripe.Subscription): void {
  books.change('customer.subscription.updated', subscription, () => {
    subscription.pending_update = null;
  });
  books.emit('customer.subscription.pending_update_expired', subscription);
}
