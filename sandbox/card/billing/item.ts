// The items of a subscription, the plan and its add-ons: each has a price, a quantity and a period.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid } from '../fault.ts';
import { createId } from '../ids.ts';
import { createPrice, currency, findPrice, findProduct, recurring, taxBehavior, unitAmount } from '../prices.ts';
import { fieldsOf, flag, integer, metadata, needed, text } from '../shape.ts';
import { mergeMetadata } from '../metadata.ts';
import type { Period } from './period.ts';

export interface ItemChoice {
  price: Stripe.Price;
  quantity: number;
  metadata: Record<string, string>;
}

export const recurringPriceData = fieldsOf<Stripe.SubscriptionCreateParams.Item.PriceData>()({
  currency: needed(currency),
  product: needed(text()),
  recurring: needed(recurring),
  unit_amount: needed(unitAmount),
  tax_behavior: taxBehavior,
});
const quantity = integer(0, 999_999);
export const newItemInput = fieldsOf<Stripe.SubscriptionCreateParams.Item>()({
  price: text(),
  price_data: recurringPriceData,
  quantity,
  metadata,
});
export const changedItemInput = fieldsOf<Stripe.SubscriptionUpdateParams.Item>()({
  id: text(),
  price: text(),
  price_data: recurringPriceData,
  quantity,
  deleted: flag,
  metadata,
});

type Chosen = { price?: string; price_data?: ReturnType<typeof recurringPriceData> };

/** The price that an item refers to by id, or that it defines itself. */
export function readItemPrice(books: Books, { price, price_data: data }: Chosen, param: string): Stripe.Price {
  if ((price === undefined) === (data === undefined)) {
    throw invalid(`You must specify either \`price\` or \`price_data\` in ${param}.`, 'parameter_missing', `${param}[price]`);
  }
  if (data) return createPrice(books, { ...data, product: findProduct(books, data.product, `${param}[price_data][product]`).id }, 'once');
  const found = findPrice(books, price ?? '', `${param}[price]`);
  if (!found.active) throw invalid(`The price specified is inactive: ${found.id}.`, undefined, `${param}[price]`);
  if (!found.recurring) {
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      undefined,
      `${param}[price]`,
    );
  }
  return found;
}

export const readNewItem = (books: Books, input: ReturnType<typeof newItemInput>, param: string): ItemChoice => ({
  price: readItemPrice(books, input, param),
  quantity: input.quantity ?? 1,
  metadata: mergeMetadata({}, input.metadata ?? {}),
});

export function createItem(
  books: Books,
  subscription: string,
  choice: ItemChoice,
  period: Period,
  id = createId('si'),
): Stripe.SubscriptionItem {
  return {
    id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: books.now(),
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: choice.metadata,
    plan: planOf(choice.price),
    price: structuredClone(choice.price),
    quantity: choice.quantity,
    subscription,
    tax_rates: [],
  };
}

/** The price in its older form, which the API still returns too. */
const planOf = (price: Stripe.Price): Stripe.Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});
