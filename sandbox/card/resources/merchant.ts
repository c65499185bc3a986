// Read access to the merchant's account and its events.
import type Stripe from 'stripe';
import { noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, list, oneOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';

const ACCOUNT: Stripe.Account = {
  id: 'acct_1SandboxEgressDemo',
  object: 'account',
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
};

const eventListInput = fieldsOf<Stripe.EventListParams>()({
  ...datedPageFields,
  type: text(),
  types: list(text()),
  delivery_success: oneOf('true', 'false'),
});

export const merchantRoutes = [
  route('GET', '/v1/account', fields({}), () => ACCOUNT),
  route('GET', '/v1/accounts/:id', fields({}), ({ ids }) => {
    if (ids['id'] !== ACCOUNT.id) throw noSuch('account', ids['id'] ?? '');
    return ACCOUNT;
  }),
  route('GET', '/v1/events', eventListInput, ({ books, input }) => {
    const found = Object.values(books.state.events).filter(
      (event) =>
        (input.type === undefined || isOfType(event.type, input.type)) &&
        (input.types === undefined || input.types.some((type) => isOfType(event.type, type))) &&
        (input.delivery_success === undefined || (event.pending_webhooks === 0) === (input.delivery_success === 'true')) &&
        (input.created?.(event.created) ?? true),
    );
    return pageOf('/v1/events', found, input);
  }),
  route('GET', '/v1/events/:id', fields({}), ({ books, ids }) => {
    const event = rowOf(books.state.events, ids['id'] ?? '');
    if (!event) throw noSuch('event', ids['id'] ?? '');
    return event;
  }),
];

/** `charge.*` stands for all events of a charge. */
const isOfType = (type: string, wanted: string): boolean => (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted);
