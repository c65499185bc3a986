// What an attempt to pay leaves behind: a charge, paid or failed.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';
import { EMPTY_BILLING } from './method.ts';
import type { Decline } from './test-cards.ts';

export function createCharge(
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  email: string | null,
  decline: Decline | undefined,
): Stripe.Charge {
  const card = method.card;
  const charge: Stripe.Charge = {
    id: createId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { ...EMPTY_BILLING, email },
    calculated_statement_descriptor: 'EGRESS',
    captured: !decline,
    created: books.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: decline ? '01' : null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline ? (decline.declineCode ?? decline.code) : null,
      seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: decline ? null : intent.amount,
        authorization_code: null,
        brand: card?.brand ?? null,
        checks: card?.checks ?? null,
        country: card?.country ?? null,
        electronic_commerce_indicator: null,
        exp_month: card?.exp_month ?? 0,
        exp_year: card?.exp_year ?? 0,
        funding: card?.funding ?? null,
        installments: null,
        last4: card?.last4 ?? null,
        mandate: null,
        network: card?.brand ?? null,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  books.state.charges[charge.id] = charge;
  return charge;
}
