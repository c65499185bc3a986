// Checkout sessions: create, retrieve, list, line items, expire.
import type Stripe from 'stripe';
import { invalid } from '../fault.ts';
import { datedPageFields, pageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { sessionInput } from '../session-input.ts';
import { createSession, expireSession, findCheckout } from '../session.ts';
import { fields, fieldsOf, needed, oneOf, text } from '../shape.ts';

const listInput = fieldsOf<Stripe.Checkout.SessionListParams>()({
  ...datedPageFields,
  customer: text(),
  customer_details: fieldsOf<Stripe.Checkout.SessionListParams.CustomerDetails>()({ email: needed(text()) }),
  payment_intent: text(),
  subscription: text(),
  status: oneOf('open', 'complete', 'expired'),
});

export const checkoutSessionRoutes = [
  route('POST', '/v1/checkout/sessions', sessionInput, ({ books, input }) => createSession(books, input)),
  route('GET', '/v1/checkout/sessions', listInput, ({ books, input }) => {
    const wanted = (session: Stripe.Checkout.Session): boolean =>
      (input.customer === undefined || session.customer === input.customer) &&
      (input.customer_details === undefined || session.customer_details?.email === input.customer_details.email) &&
      (input.payment_intent === undefined || session.payment_intent === input.payment_intent) &&
      (input.subscription === undefined || session.subscription === input.subscription) &&
      (input.status === undefined || session.status === input.status) &&
      (input.created?.(session.created) ?? true);
    const sessions = Object.values(books.state.checkouts).map((checkout) => checkout.session);
    return pageOf('/v1/checkout/sessions', sessions.filter(wanted), input);
  }),
  route('GET', '/v1/checkout/sessions/:id', fields({}), ({ books, ids }) => findCheckout(books, ids['id'] ?? '').session),
  route('GET', '/v1/checkout/sessions/:id/line_items', fields(pageFields), ({ books, ids, input }) => {
    const { lines, session } = findCheckout(books, ids['id'] ?? '');
    return pageOf(`/v1/checkout/sessions/${session.id}/line_items`, lines.toReversed(), input);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', fields({}), ({ books, ids, cause }) => {
    const { session } = findCheckout(books, ids['id'] ?? '');
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    expireSession(books, session, cause);
    return session;
  }),
];
