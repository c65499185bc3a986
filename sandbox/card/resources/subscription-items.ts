// The items of a subscription, addressed directly: the same changes as through the subscription.
import type Stripe from 'stripe';
import { changeItems } from '../billing/change.ts';
import { recurringPriceData } from '../billing/item.ts';
import type { changedItemInput } from '../billing/item.ts';
import { findSubscription } from '../billing/subscription.ts';
import type { Books } from '../books.ts';
import { noSuch } from '../fault.ts';
import { pageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, integer, metadata, moment, needed, oneOf, text } from '../shape.ts';

const terms = {
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: moment,
  payment_behavior: oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'),
};
const content = { price: text(), price_data: recurringPriceData, quantity: integer(0, 999_999), metadata };
const createInput = fieldsOf<Stripe.SubscriptionItemCreateParams>()({ ...terms, ...content, subscription: needed(text()) });
const updateInput = fieldsOf<Stripe.SubscriptionItemUpdateParams>()({ ...terms, ...content, off_session: flag });
const deleteInput = fieldsOf<Stripe.SubscriptionItemDeleteParams>()(terms);
const listInput = fieldsOf<Stripe.SubscriptionItemListParams>()({ ...pageFields, subscription: needed(text()) });

export const subscriptionItemRoutes = [
  route('POST', '/v1/subscription_items', createInput, ({ books, input }) => {
    const { subscription: id, ...rest } = input;
    const subscription = findSubscription(books, id, 'subscription');
    change(books, subscription, {}, rest);
    const items = subscription.pending_update?.subscription_items ?? subscription.items.data;
    return items[items.length - 1] as Stripe.SubscriptionItem;
  }),
  route('GET', '/v1/subscription_items', listInput, ({ books, input }) => {
    const { items } = findSubscription(books, input.subscription, 'subscription');
    return pageOf('/v1/subscription_items', items.data.toReversed(), input);
  }),
  route('GET', '/v1/subscription_items/:id', fields({}), ({ books, ids }) => find(books, ids['id'] ?? '').item),
  route('POST', '/v1/subscription_items/:id', updateInput, ({ books, ids, input }) => {
    const { subscription, item } = find(books, ids['id'] ?? '');
    change(books, subscription, { id: item.id }, input);
    return find(books, item.id).item;
  }),
  route('DELETE', '/v1/subscription_items/:id', deleteInput, ({ books, ids, input }) => {
    const { subscription, item } = find(books, ids['id'] ?? '');
    change(books, subscription, { id: item.id, deleted: true }, input);
    return { id: item.id, object: 'subscription_item', deleted: true };
  }),
];

function find(books: Books, id: string): { subscription: Stripe.Subscription; item: Stripe.SubscriptionItem } {
  for (const subscription of Object.values(books.state.subscriptions)) {
    const item = subscription.items.data.find((one) => one.id === id);
    if (item) return { subscription, item };
  }
  throw noSuch('subscription_item', id);
}

function change(
  books: Books,
  subscription: Stripe.Subscription,
  target: { id?: string; deleted?: boolean },
  input: Partial<ReturnType<typeof updateInput>>,
): void {
  const { proration_behavior: behavior, proration_date: date, payment_behavior: paying, off_session: away, ...item } = input;
  changeItems(
    books,
    subscription,
    {
      items: [{ ...item, ...target } as ReturnType<typeof changedItemInput>],
      prorationBehavior: behavior ?? 'create_prorations',
      prorationDate: date ?? null,
      resetAnchor: false,
    },
    { paymentBehavior: paying ?? 'allow_incomplete', offSession: away ?? false },
  );
}
