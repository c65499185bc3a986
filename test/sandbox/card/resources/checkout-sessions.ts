// Checkout sessions: create, retrieve, list, line items, expire.
import type Stripe from 'stripe';
import { invalid } from '../fault.ts';
import { datedPageFields, pageFields, pageOf } from '../list.ts';
import { lineItemInput } from '../line-items.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { createSession, expireSession, findCheckout } from '../session.ts';
import { email, fields, fieldsOf, integer, list, metadata, moment, needed, off, oneOf, text, webUrl } from '../shape.ts';

const switchedOff = fields({ enabled: off });

export const sessionInput = fieldsOf<Stripe.Checkout.SessionCreateParams>()({
  mode: needed(oneOf('payment', 'setup', 'subscription')),
  ui_mode: oneOf('hosted_page'),
  line_items: list(lineItemInput),
  currency,
  success_url: needed(webUrl),
  cancel_url: webUrl,
  client_reference_id: text(200),
  customer: text(),
  customer_email: email,
  customer_creation: oneOf('always', 'if_required'),
  expires_at: integer(),
  locale: text(10),
  metadata,
  submit_type: oneOf('auto', 'pay'),
  allowed_payment_method_types: list(oneOf('card')),
  payment_intent_data: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentIntentData>()({
    description: text(1000),
    metadata,
    receipt_email: email,
    capture_method: oneOf('automatic', 'automatic_async'),
    setup_future_usage: oneOf('off_session', 'on_session'),
  }),
  setup_intent_data: fieldsOf<Stripe.Checkout.SessionCreateParams.SetupIntentData>()({ description: text(1000), metadata }),
  subscription_data: fieldsOf<Stripe.Checkout.SessionCreateParams.SubscriptionData>()({
    description: text(500),
    metadata,
    billing_cycle_anchor: moment,
    default_tax_rates: list(text()),
    proration_behavior: oneOf('create_prorations', 'none'),
  }),
  payment_method_collection: oneOf('always'),
  payment_method_options: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions>()({
    card: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions.Card>()({
      request_three_d_secure: oneOf('automatic', 'any', 'challenge'),
    }),
  }),
  allow_promotion_codes: off,
  automatic_tax: switchedOff,
  invoice_creation: switchedOff,
  phone_number_collection: switchedOff,
  tax_id_collection: switchedOff,
});

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
