// Products and prices: create, retrieve, update, list.
import type Stripe from 'stripe';
import { invalid } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { createPrice, createProduct, currency, findPrice, findProduct, recurring, taxBehavior, unitAmount } from '../prices.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, list, metadata, needed, oneOf, text, webUrl } from '../shape.ts';

const product = {
  active: flag,
  images: list(webUrl),
  metadata,
  statement_descriptor: text(22),
  unit_label: text(12),
};
const productCreate = fieldsOf<Stripe.ProductCreateParams>()({
  ...product,
  name: needed(text(250)),
  id: text(100),
  description: text(),
});
const productUpdate = fieldsOf<Stripe.ProductUpdateParams>()({ ...product, name: text(250), description: text(5000, 'unset') });
const productList = fieldsOf<Stripe.ProductListParams>()({ ...datedPageFields, active: flag, ids: list(text()) });

const price = { active: flag, lookup_key: text(200), metadata, nickname: text(), tax_behavior: taxBehavior };
const priceCreate = fieldsOf<Stripe.PriceCreateParams>()({
  ...price,
  currency: needed(currency),
  unit_amount: needed(unitAmount),
  product: text(),
  product_data: fieldsOf<Stripe.PriceCreateParams.ProductData>()({ name: needed(text(250)), metadata, active: flag, unit_label: text(12) }),
  recurring,
  billing_scheme: oneOf('per_unit'),
  transfer_lookup_key: flag,
});
const priceUpdate = fieldsOf<Stripe.PriceUpdateParams>()({ ...price, transfer_lookup_key: flag });
const priceList = fieldsOf<Stripe.PriceListParams>()({
  ...datedPageFields,
  active: flag,
  currency,
  product: text(),
  lookup_keys: list(text()),
  type: oneOf('one_time', 'recurring'),
});

export const catalogueRoutes = [
  route('POST', '/v1/products', productCreate, ({ books, input }) => {
    if (input.id !== undefined && Object.hasOwn(books.state.products, input.id)) {
      throw invalid('Product already exists.', 'resource_already_exists', 'id');
    }
    const made = createProduct(books, input);
    books.emit('product.created', made);
    return made;
  }),
  route('GET', '/v1/products', productList, ({ books, input }) => {
    const found = Object.values(books.state.products).filter(
      (one) =>
        (input.active === undefined || one.active === input.active) &&
        (input.ids === undefined || input.ids.includes(one.id)) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/products', found, input);
  }),
  route('GET', '/v1/products/:id', fields({}), ({ books, ids }) => findProduct(books, ids['id'] ?? '')),
  route('POST', '/v1/products/:id', productUpdate, ({ books, ids, input }) => {
    const found = findProduct(books, ids['id'] ?? '');
    const { metadata: changes, description, ...plain } = input;
    books.change('product.updated', found, () => {
      Object.assign(found, plain, { updated: books.now() });
      if (description !== undefined) found.description = description || null;
      if (changes !== undefined) found.metadata = mergeMetadata(found.metadata, changes);
    });
    return found;
  }),
  route('POST', '/v1/prices', priceCreate, ({ books, input }) => {
    const { product: id, product_data: data, transfer_lookup_key: transfer = false, ...terms } = input;
    if ((id === undefined) === (data === undefined)) {
      throw invalid('You must specify either `product` or `product_data` when creating a price.', 'parameter_missing', 'product');
    }
    takeLookupKey(Object.values(books.state.prices), terms.lookup_key, transfer);
    const owner = data ? createProduct(books, data) : findProduct(books, id ?? '', 'product');
    if (data) books.emit('product.created', owner);
    const made = createPrice(books, { ...terms, product: owner.id });
    books.emit('price.created', made);
    return made;
  }),
  route('GET', '/v1/prices', priceList, ({ books, input }) => {
    const found = Object.values(books.state.prices).filter(
      (one) =>
        (input.active === undefined || one.active === input.active) &&
        (input.currency === undefined || one.currency === input.currency) &&
        (input.product === undefined || one.product === input.product) &&
        (input.lookup_keys === undefined || input.lookup_keys.includes(one.lookup_key ?? '')) &&
        (input.type === undefined || one.type === input.type) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/prices', found, input);
  }),
  route('GET', '/v1/prices/:id', fields({}), ({ books, ids }) => findPrice(books, ids['id'] ?? '')),
  route('POST', '/v1/prices/:id', priceUpdate, ({ books, ids, input }) => {
    const found = findPrice(books, ids['id'] ?? '');
    const { metadata: changes, transfer_lookup_key: transfer = false, ...plain } = input;
    const others = Object.values(books.state.prices).filter((one) => one !== found);
    takeLookupKey(others, plain.lookup_key, transfer);
    books.change('price.updated', found, () => {
      Object.assign(found, plain);
      if (changes !== undefined) found.metadata = mergeMetadata(found.metadata, changes);
    });
    return found;
  }),
];

/** A lookup key belongs to one price: it is taken from the former one, or the request is refused. */
function takeLookupKey(prices: Stripe.Price[], key: string | undefined, transfer: boolean): void {
  const holder = key === undefined ? undefined : prices.find((one) => one.lookup_key === key);
  if (!holder) return;
  if (!transfer) throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'resource_already_exists', 'lookup_key');
  holder.lookup_key = null;
}
