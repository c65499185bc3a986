// What is bought in a checkout session: lines with a price of their own (`price_data`).
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { invalid } from './fault.ts';
import { createId } from './ids.ts';
import { mergeMetadata } from './resources/customers.ts';
import { fieldsOf, integer, list, metadata, needed, oneOf, text, webUrl } from './shape.ts';

const currency = oneOf('usd', 'eur', 'gbp');

export const lineItemInput = fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem>()({
  price_data: needed(
    fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>()({
      currency: needed(currency),
      unit_amount: needed(integer(0, 99_999_999)),
      tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
      product_data: needed(
        fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.ProductData>()({
          name: needed(text(250)),
          description: text(),
          images: list(webUrl),
          metadata,
        }),
      ),
    }),
  ),
  quantity: needed(integer(1, 999_999)),
});

type LineItemInput = ReturnType<typeof lineItemInput>;

/** Makes the lines, with a price and a product each. All are in one currency. */
export function createLineItems(books: Books, inputs: LineItemInput[]): Stripe.LineItem[] {
  if (inputs.length === 0 || inputs.length > 100) throw invalid('A session has 1 to 100 line items.', 'parameter_invalid', 'line_items');
  if (new Set(inputs.map((input) => input.price_data.currency)).size > 1) {
    throw invalid('Checkout Session line items must all have the same currency.', 'parameter_invalid', 'line_items');
  }
  return inputs.map((input) => createLineItem(books, input));
}

function createLineItem(books: Books, { price_data: price, quantity }: LineItemInput): Stripe.LineItem {
  const product = createProduct(books, price.product_data);
  const amount = price.unit_amount * quantity;
  return {
    id: createId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: product.name,
    metadata: {},
    price: {
      id: createId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: books.now(),
      currency: price.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: product.id,
      recurring: null,
      tax_behavior: price.tax_behavior ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: price.unit_amount,
      // Text on the wire; the library makes a decimal of it.
      unit_amount_decimal: String(price.unit_amount) as unknown as Stripe.Decimal,
    },
    quantity,
  };
}

function createProduct(books: Books, input: LineItemInput['price_data']['product_data']): Stripe.Product {
  const product: Stripe.Product = {
    id: createId('prod'),
    object: 'product',
    active: false,
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
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: books.now(),
    url: null,
  };
  books.state.products[product.id] = product;
  return product;
}
