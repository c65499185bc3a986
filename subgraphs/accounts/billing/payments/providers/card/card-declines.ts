// What the card processor's decline codes mean for another attempt and for the card's owner. https://docs.stripe.com/declines/codes,
// https://docs.stripe.com/declines/card (advice codes), https://docs.stripe.com/billing/revenue-recovery/smart-retries (what it does not try again itself)
import type Stripe from 'stripe';
import type { WhatToDo } from '../../domain/what-to-do.ts';
import type { Refused } from '../recurring-charges.ts';

/** Codes after which the issuer never accepts the card: card networks fine further attempts. The last four say that the card cannot be used for this. */
const FINAL: ReadonlySet<string> = new Set([
  'incorrect_number',
  'invalid_account',
  'lost_card',
  'pickup_card',
  'stolen_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'stop_payment_order',
  'security_violation',
  'highest_risk_level',
  'transaction_not_allowed',
  'card_not_supported',
  'currency_not_supported',
  'expired_card',
  'invalid_expiry_year',
]);

/** The advice code by which the issuer forbids another attempt. */
const NEVER_AGAIN = 'do_not_try_again';

const BY_CODE: Record<string, WhatToDo> = {
  insufficient_funds: 'add_money',
  withdrawal_count_limit_exceeded: 'add_money',
  card_velocity_exceeded: 'wait',
  processing_error: 'wait',
  issuer_not_available: 'wait',
  reenter_transaction: 'wait',
  try_again_later: 'wait',
  incorrect_cvc: 'check_details',
  incorrect_zip: 'check_details',
  invalid_cvc: 'check_details',
};

/** A refusal by the bank. That a card was reported lost or stolen is never told to its holder, who gets the general message. */
export function refusedBy({ message, code, decline_code: declined, advice_code: advice }: Stripe.errors.StripeCardError): Refused {
  const declineCode = declined ?? code ?? null;
  const isFinal = advice === NEVER_AGAIN || (declineCode !== null && FINAL.has(declineCode));
  const whatToDo = isFinal ? 'other_means' : (BY_CODE[declineCode ?? ''] ?? 'ask_bank');
  return { outcome: 'refused', message, isFinal, whatToDo, declineCode, adviceCode: advice ?? null };
}

/** The processor does not have the card any more, which counts as a refusal. */
export const UNKNOWN_CARD: Refused = {
  outcome: 'refused',
  message: 'The card is not known any more.',
  isFinal: true,
  whatToDo: 'other_means',
  declineCode: null,
  adviceCode: null,
};
