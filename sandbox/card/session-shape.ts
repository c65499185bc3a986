// A checkout session in the form in which the API returns it.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { DASHBOARD_METHODS } from './delayed.ts';
import { createId, randomCharacters } from './ids.ts';
import { mergeMetadata } from './metadata.ts';
import type { sessionInput } from './session-input.ts';

const DAY = 86_400;

interface Bought {
  customer: Stripe.Customer | null;
  currency: string | undefined;
  subtotal: number;
  total: number;
  tax: number;
}

/** Makes an open session without storing it. */
export function composeSession(
  books: Books,
  input: ReturnType<typeof sessionInput>,
  { customer, currency, subtotal, total, tax }: Bought,
): Stripe.Checkout.Session {
  const { mode } = input;
  const saves = mode === 'setup';
  const knownEmail = customer?.email ?? input.customer_email ?? null;
  const id = createId('cs_test');
  const session: Stripe.Checkout.Session = {
    id,
    ...NOT_USED,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: saves ? null : subtotal,
    amount_total: saves ? null : total,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created: books.now(),
    currency: currency ?? input.currency ?? null,
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: input.custom_text?.submit ?? null,
      terms_of_service_acceptance: null,
    },
    customer: customer?.id ?? null,
    customer_creation: customer ? null : (input.customer_creation ?? (mode === 'subscription' ? 'always' : 'if_required')),
    customer_details: knownEmail === null ? null : customerDetails(knownEmail),
    customer_email: input.customer_email ?? null,
    expires_at: input.expires_at ?? books.now() + DAY,
    locale: input.locale ?? null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    mode,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_options: { card: { request_three_d_secure: input.payment_method_options?.card?.request_three_d_secure ?? 'automatic' } },
    payment_method_types: DASHBOARD_METHODS.filter(
      (type) => input.allowed_payment_method_types?.some((allowed) => allowed === type) ?? true,
    ),
    payment_status: saves ? 'no_payment_required' : 'unpaid',
    submit_type: input.submit_type ?? null,
    success_url: input.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    url: `${books.url()}/c/pay/${id}#${randomCharacters(24)}`,
  };
  return structuredClone(session);
}

export const customerDetails = (address: string): Stripe.Checkout.Session.CustomerDetails => ({
  address: null,
  business_name: null,
  email: address,
  individual_name: null,
  name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});

/** Fields that every session has and that the sandbox does not use. */
const NOT_USED = {
  object: 'checkout.session',
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  subscription: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;
