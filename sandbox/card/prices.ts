// Products and prices: once, or every 1, 3 or 6 months.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { noSuch } from './fault.ts';
import { createId } from './ids.ts';
import { mergeMetadata } from './metadata.ts';
import { fieldsOf, integer, list, metadata, needed, oneOf, text, webUrl } from './shape.ts';
import { rowOf } from './state.ts';

export const currency = oneOf('usd', 'eur', 'gbp');
export const unitAmount = integer(0, 99_999_999);
export const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');
export const recurring = fieldsOf<Stripe.PriceCreateParams.Recurring>()({
  interval: needed(oneOf('day', 'week', 'month', 'year')),
  interval_count: integer(1, 1095),
});
/** A product that is defined inside of another request. */
export const productData = fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.ProductData>()({
  name: needed(text(250)),
  description: text(),
  images: list(webUrl),
  metadata,
});

export interface ProductRequest {
  id?: string;
  name: string;
  description?: string;
  images?: string[];
  metadata?: Record<string, string> | null;
  active?: boolean;
  statement_descriptor?: string;
  unit_label?: string;
}

export function createProduct(books: Books, input: ProductRequest): Stripe.Product {
  const product: Stripe.Product = {
    id: input.id ?? createId('prod'),
    object: 'product',
    active: input.active ?? true,
    created: books.now(),
    default_price: null,
    description: input.description ?? null,
    images: input.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, input.metadata ?? {}),
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: input.statement_descriptor ?? null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: input.unit_label ?? null,
    updated: books.now(),
    url: null,
  };
  books.state.products[product.id] = product;
  return product;
}

export interface PriceRequest {
  currency: string;
  unit_amount: number;
  product: string;
  active?: boolean;
  recurring?: { interval: Stripe.Price.Recurring['interval']; interval_count?: number };
  tax_behavior?: Stripe.Price['tax_behavior'];
  nickname?: string;
  lookup_key?: string;
  metadata?: Record<string, string> | null;
}

/** Creates a price; `once`: inside of another request, so that it cannot be used again. */
export function createPrice(books: Books, input: PriceRequest, use: 'again' | 'once' = 'again'): Stripe.Price {
  const price: Stripe.Price = {
    id: createId('price'),
    object: 'price',
    active: input.active ?? use === 'again',
    billing_scheme: 'per_unit',
    created: books.now(),
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookup_key ?? null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: input.recurring
      ? {
          interval: input.recurring.interval,
          interval_count: input.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: input.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: input.recurring ? 'recurring' : 'one_time',
    unit_amount: input.unit_amount,
    unit_amount_decimal: decimal(input.unit_amount),
  };
  books.state.prices[price.id] = price;
  return price;
}

/** Sent as text; the library converts it to a decimal. */
export const decimal = (amount: number): Stripe.Decimal => String(amount) as unknown as Stripe.Decimal;

export function findPrice(books: Books, id: string, param?: string): Stripe.Price {
  const price = rowOf(books.state.prices, id);
  if (!price) throw noSuch('price', id, param);
  return price;
}

export function findProduct(books: Books, id: string, param?: string): Stripe.Product {
  const product = rowOf(books.state.products, id);
  if (!product) throw noSuch('product', id, param);
  return product;
}

export const productName = (books: Books, price: Stripe.Price): string => books.state.products[String(price.product)]?.name ?? 'Item';

/** 1250 becomes "$12.50". */
export function toPrice(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
