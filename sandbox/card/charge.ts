// The result of an attempt to pay: a charge, paid or failed.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';
import { chargeFee, moveBalance, settlesOn } from './merchant-balance.ts';
import { EMPTY_BILLING } from './method.ts';
import type { Decline } from './test-cards.ts';

export function createCharge(
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  email: string | null,
  answer: Decline | 'pending' | undefined,
): Stripe.Charge {
  const pending = answer === 'pending';
  const decline = pending ? undefined : answer;
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
    outcome: outcomeOf(decline),
    paid: !decline && !pending,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: method.card ? { type: 'card', card: detailsOf(method.card, intent.amount, decline) } : { type: method.type },
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
    status: decline ? 'failed' : pending ? 'pending' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  books.state.charges[charge.id] = charge;
  if (!decline && !pending) bookCharge(books, charge);
  return charge;
}

/** Adds the charge to the merchant's balance, less the processor's fee. */
export function bookCharge(books: Books, charge: Stripe.Charge): void {
  const by = charge.payment_method_details?.type ?? 'card';
  const { id } = moveBalance(books, {
    // https://docs.stripe.com/reports/balance-transaction-types: "payment" is a charge by anything but a card.
    type: by === 'card' ? 'charge' : 'payment',
    category: 'charge',
    amount: charge.amount,
    fee: chargeFee(charge.amount, by),
    availableOn: settlesOn(books.now()),
    currency: charge.currency,
    source: charge.id,
    description: charge.description ?? '',
  });
  charge.balance_transaction = id;
}

const outcomeOf = (decline: Decline | undefined): Stripe.Charge.Outcome => ({
  advice_code: decline?.advice ?? null,
  network_advice_code: null,
  network_decline_code: decline ? '01' : null,
  network_status: decline ? 'declined_by_network' : 'approved_by_network',
  reason: decline ? (decline.declineCode ?? decline.code) : null,
  seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
  type: decline ? 'issuer_declined' : 'authorized',
});

const detailsOf = (
  card: Stripe.PaymentMethod.Card,
  amount: number,
  decline: Decline | undefined,
): Stripe.Charge.PaymentMethodDetails.Card => ({
  amount_authorized: decline ? null : amount,
  authorization_code: null,
  brand: card.brand,
  checks: card.checks,
  country: card.country,
  electronic_commerce_indicator: null,
  exp_month: card.exp_month,
  exp_year: card.exp_year,
  funding: card.funding,
  installments: null,
  last4: card.last4,
  mandate: null,
  network: card.brand,
  network_transaction_id: null,
  regulated_status: 'unregulated',
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
});
