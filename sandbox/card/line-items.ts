// The lines of a checkout session, with an existing price or with one of their own (`price_data`).
import type Stripe from 'stripe';
import type { LineDraft } from './billing/lines.ts';
import type { Books } from './books.ts';
import { invalid } from './fault.ts';
import { createId } from './ids.ts';
import {
  createPrice,
  createProduct,
  currency,
  findPrice,
  findProduct,
  productData,
  productName,
  recurring,
  taxBehavior,
  unitAmount,
} from './prices.ts';
import { fieldsOf, integer, needed, text } from './shape.ts';

export const lineItemInput = fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem>()({
  price: text(),
  price_data: fieldsOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>()({
    currency: needed(currency),
    unit_amount: needed(unitAmount),
    tax_behavior: taxBehavior,
    recurring,
    product: text(),
    product_data: productData,
  }),
  quantity: needed(integer(1, 999_999)),
});

type LineItemInput = ReturnType<typeof lineItemInput>;

/** Creates the lines, each with a price and a product. All must be in one currency. */
export function createLineItems(books: Books, inputs: LineItemInput[]): Stripe.LineItem[] {
  if (inputs.length === 0 || inputs.length > 100) throw invalid('A session has 1 to 100 line items.', undefined, 'line_items');
  const prices = inputs.map((input, index) => readPrice(books, input, `line_items[${index}]`));
  if (new Set(prices.map((price) => price.currency)).size > 1) {
    throw invalid('Checkout Session line items must all have the same currency.', undefined, 'line_items');
  }
  return inputs.map(({ quantity }, index) => createLineItem(books, prices[index] as Stripe.Price, quantity));
}

function readPrice(books: Books, { price, price_data: data }: LineItemInput, param: string): Stripe.Price {
  if ((price === undefined) === (data === undefined)) {
    throw invalid(`You must specify either \`price\` or \`price_data\` in ${param}.`, 'parameter_missing', `${param}[price_data]`);
  }
  if (price !== undefined) {
    const found = findPrice(books, price, `${param}[price]`);
    if (!found.active) throw invalid(`The price specified is inactive: ${price}.`, undefined, `${param}[price]`);
    return found;
  }
  const { product, product_data: made, ...terms } = data as NonNullable<typeof data>;
  if ((product === undefined) === (made === undefined)) {
    throw invalid(`Missing required param: ${param}[price_data][product_data].`, 'parameter_missing', `${param}[price_data][product_data]`);
  }
  const owner = made
    ? createProduct(books, { ...made, active: false })
    : findProduct(books, product ?? '', `${param}[price_data][product]`);
  return createPrice(books, { ...terms, product: owner.id }, 'once');
}

function createLineItem(books: Books, price: Stripe.Price, quantity: number): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: createId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: productName(books, price),
    metadata: {},
    price: structuredClone(price),
    quantity,
  };
}

/** The same line on a subscription's first invoice. */
export const readLine = (books: Books, line: Stripe.LineItem): LineDraft => ({
  amount: line.amount_total,
  currency: line.currency,
  description: line.description,
  quantity: line.quantity ?? 1,
  period: { start: books.now(), end: books.now() },
  price: line.price,
  subscription: null,
  subscriptionItem: null,
  proration: false,
  invoiceItem: null,
  metadata: {},
});
