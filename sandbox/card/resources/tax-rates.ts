// Tax rates: create, retrieve, update, list.
import type Stripe from 'stripe';
import { noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, metadata, needed, percent, text } from '../shape.ts';
import { rowOf } from '../state.ts';

const common = { active: flag, country: text(2), description: text(), jurisdiction: text(200), metadata, state: text(2) };
const createInput = fieldsOf<Stripe.TaxRateCreateParams>()({
  ...common,
  display_name: needed(text(100)),
  inclusive: needed(flag),
  percentage: needed(percent),
});
const updateInput = fieldsOf<Stripe.TaxRateUpdateParams>()({ ...common, display_name: text(100) });
const listInput = fieldsOf<Stripe.TaxRateListParams>()({ ...datedPageFields, active: flag, inclusive: flag });

export const taxRateRoutes = [
  route('POST', '/v1/tax_rates', createInput, ({ books, input }) => {
    const rate: Stripe.TaxRate = {
      id: createId('txr'),
      object: 'tax_rate',
      active: input.active ?? true,
      country: input.country ?? null,
      created: books.now(),
      description: input.description ?? null,
      display_name: input.display_name,
      effective_percentage: input.percentage,
      flat_amount: null,
      inclusive: input.inclusive,
      jurisdiction: input.jurisdiction ?? null,
      jurisdiction_level: null,
      livemode: false,
      metadata: mergeMetadata({}, input.metadata ?? {}),
      percentage: input.percentage,
      rate_type: 'percentage',
      state: input.state ?? null,
      tax_type: null,
    };
    books.state.taxRates[rate.id] = rate;
    books.emit('tax_rate.created', rate);
    return rate;
  }),
  route('GET', '/v1/tax_rates', listInput, ({ books, input }) => {
    const found = Object.values(books.state.taxRates).filter(
      (rate) =>
        (input.active === undefined || rate.active === input.active) &&
        (input.inclusive === undefined || rate.inclusive === input.inclusive) &&
        (input.created?.(rate.created) ?? true),
    );
    return pageOf('/v1/tax_rates', found, input);
  }),
  route('GET', '/v1/tax_rates/:id', fields({}), ({ books, ids }) => {
    const rate = rowOf(books.state.taxRates, ids['id'] ?? '');
    if (!rate) throw noSuch('tax rate', ids['id'] ?? '');
    return rate;
  }),
  route('POST', '/v1/tax_rates/:id', updateInput, ({ books, ids, input }) => {
    const rate = rowOf(books.state.taxRates, ids['id'] ?? '');
    if (!rate) throw noSuch('tax rate', ids['id'] ?? '');
    const { metadata: changes, ...plain } = input;
    books.change('tax_rate.updated', rate, () => {
      Object.assign(rate, plain);
      if (changes !== undefined) rate.metadata = mergeMetadata(rate.metadata ?? {}, changes);
    });
    return rate;
  }),
];
