// The input for a new checkout session.
import type Stripe from 'stripe';
import { DELAYED_METHODS } from './delayed.ts';
import { lineItemInput } from './line-items.ts';
import { currency } from './prices.ts';
import { email, fields, fieldsOf, integer, list, metadata, moment, needed, off, oneOf, text, webUrl } from './shape.ts';

/** The values of `SessionCreateParams.Locale` that the pages here accept; the real one has some fifty. */
const LOCALES = ['auto', 'de', 'en', 'en-GB', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const;

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
  locale: oneOf(...LOCALES),
  custom_text: fieldsOf<Stripe.Checkout.SessionCreateParams.CustomText>()({
    submit: fieldsOf<Stripe.Checkout.SessionCreateParams.CustomText.Submit>()({ message: needed(text(1200)) }),
  }),
  metadata,
  submit_type: oneOf('auto', 'pay'),
  /** Restricts the methods that are enabled in the dashboard; absent: all of them. In the SDK's version a session cannot be created with `payment_method_types`. */
  allowed_payment_method_types: list(oneOf('card', ...DELAYED_METHODS)),
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
