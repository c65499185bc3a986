// What the card processor's codes of a decline mean for another attempt, and for the card's owner. https://docs.stripe.com/declines/codes,
// https://docs.stripe.com/declines/card (advice codes), https://docs.stripe.com/billing/revenue-recovery/smart-retries (what it does not try again itself)
import type Stripe from 'stripe';
import type { WhatToDo } from '../../domain/what-to-do.ts';
import type { Refused } from '../recurring-charges.ts';

/** The issuer will never take the card: networks fine who tries it again. The last four say that the card itself cannot do it. */
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

/** The issuer says so itself. */
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

/** Of an attempt that the bank has refused. Why a card is said to be lost or stolen is never told to who holds it: the message is the general one. */
export function refusedBy({ message, code, decline_code: declined, advice_code: advice }: Stripe.errors.StripeCardError): Refused {
  const declineCode = declined ?? code ?? null;
  const isFinal = advice === NEVER_AGAIN || (declineCode !== null && FINAL.has(declineCode));
  const whatToDo = isFinal ? 'other_means' : (BY_CODE[declineCode ?? ''] ?? 'ask_bank');
  return { outcome: 'refused', message, isFinal, whatToDo, declineCode, adviceCode: advice ?? null };
}

/** The card is gone from the processor: as good as refused. */
export const UNKNOWN_CARD: Refused = {
  outcome: 'refused',
  message: 'The card is not known any more.',
  isFinal: true,
  whatToDo: 'other_means',
  declineCode: null,
  adviceCode: null,
};
