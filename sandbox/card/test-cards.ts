// The processor's published test cards: the number decides the result. https://docs.stripe.com/testing

import type { ErrorCode } from './fault.ts';

export interface Decline {
  code: ErrorCode;
  declineCode?: string;
  /** The issuer's advice; absent: none. https://docs.stripe.com/declines/card#retrying-issuer-declines */
  advice?: 'confirm_card_data' | 'do_not_try_again' | 'try_again_later';
  message: string;
}

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** The purpose of the card, shown on the checkout page. */
  about: string;
  /** The country of issue; default: the United States. */
  country?: string;
  /** The predefined payment method (`pm_card_...`) of this card. */
  token?: string;
  /** When the customer must authenticate: at every charge; off session until the card is set up; or only on session, since the card counts as set up already. */
  challenge?: 'always' | 'until_set_up' | 'on_session';
  /** The refusal, after the authentication if there is one. */
  decline?: Decline;
  /** The card can be saved, and is refused only when it is charged. */
  saves?: true;
  /** What the holder or the bank does after the card has paid. */
  after?: 'disputes_as_fraud' | 'disputes_as_not_received' | 'inquires' | 'warns_of_fraud';
  /** What happens to a refund: it is pending and then arrives, or it arrives and is then returned. */
  refunds?: 'late' | 'come_back';
}

/** The issuer's advice by decline code. https://docs.stripe.com/declines/codes */
const ADVICE: Record<string, NonNullable<Decline['advice']>> = {
  card_velocity_exceeded: 'try_again_later',
  insufficient_funds: 'try_again_later',
  lost_card: 'do_not_try_again',
  stolen_card: 'do_not_try_again',
};

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => {
  const advice = ADVICE[declineCode];
  return { code: 'card_declined', declineCode, ...(advice && { advice }), message };
};

export const EXPIRED: Decline = {
  code: 'expired_card',
  declineCode: 'expired_card',
  advice: 'do_not_try_again',
  message: 'Your card has expired.',
};

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', about: 'pays', token: 'pm_card_visa' },
  { number: '4000056655665556', brand: 'visa', about: 'pays (debit)', token: 'pm_card_visa_debit' },
  { number: '5555555555554444', brand: 'mastercard', about: 'pays', token: 'pm_card_mastercard' },
  { number: '4000002760000016', brand: 'visa', about: 'pays, issued in Germany', token: 'pm_card_de', country: 'DE' },
  { number: '4000002500000003', brand: 'visa', about: 'pays, issued in France', token: 'pm_card_fr', country: 'FR' },
  { number: '4000003480000005', brand: 'visa', about: 'pays, issued in Hungary', token: 'pm_card_hu', country: 'HU' },
  { number: '378282246310005', brand: 'amex', about: 'pays, CVC of 4 digits', token: 'pm_card_amex' },
  {
    number: '4000000000000002',
    brand: 'visa',
    about: 'declined',
    token: 'pm_card_visa_chargeDeclined',
    decline: declined('generic_decline'),
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    about: 'insufficient funds',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  {
    number: '4000000000009987',
    brand: 'visa',
    about: 'lost card',
    token: 'pm_card_visa_chargeDeclinedLostCard',
    decline: declined('lost_card'),
  },
  {
    number: '4000000000009979',
    brand: 'visa',
    about: 'stolen card',
    token: 'pm_card_visa_chargeDeclinedStolenCard',
    decline: declined('stolen_card'),
  },
  {
    number: '4000000000006975',
    brand: 'visa',
    about: 'charged too often',
    token: 'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    decline: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    about: 'can be saved, declined when charged',
    token: 'pm_card_chargeCustomerFail',
    decline: declined('generic_decline'),
    saves: true,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    about: 'expired',
    token: 'pm_card_chargeDeclinedExpiredCard',
    decline: EXPIRED,
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    about: 'wrong CVC',
    token: 'pm_card_chargeDeclinedIncorrectCvc',
    decline: {
      code: 'incorrect_cvc',
      declineCode: 'incorrect_cvc',
      advice: 'confirm_card_data',
      message: "Your card's security code is incorrect.",
    },
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    about: 'processing error',
    token: 'pm_card_chargeDeclinedProcessingError',
    decline: {
      code: 'processing_error',
      declineCode: 'processing_error',
      advice: 'try_again_later',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    about: 'asks for authentication, then pays; once saved, renews without',
    token: 'pm_card_authenticationRequiredOnSetup',
    challenge: 'until_set_up',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    about: 'always asks for authentication, also to renew',
    token: 'pm_card_authenticationRequired',
    challenge: 'always',
  },
  {
    number: '4000003800000446',
    brand: 'visa',
    about: 'asks for authentication only while the customer is there',
    token: 'pm_card_authenticationRequiredSetupForOffSession',
    challenge: 'on_session',
  },
  {
    number: '4000008260003178',
    brand: 'visa',
    about: 'asks for authentication, then insufficient funds; can be saved',
    token: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    challenge: 'until_set_up',
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
    saves: true,
  },
  // https://docs.stripe.com/testing: disputes, and asynchronous refunds.
  { number: '4000000000000259', brand: 'visa', about: 'pays, then disputes it as fraudulent', after: 'disputes_as_fraud' },
  { number: '4000000000002685', brand: 'visa', about: 'pays, then disputes it as not received', after: 'disputes_as_not_received' },
  { number: '4000000000001976', brand: 'visa', about: 'pays, then the bank inquires', after: 'inquires' },
  { number: '4000000000005423', brand: 'visa', about: 'pays, then the bank warns of fraud', after: 'warns_of_fraud' },
  { number: '4000000000007726', brand: 'visa', about: 'pays; a refund arrives later', refunds: 'late' },
  { number: '4000000000005126', brand: 'visa', about: 'pays; a refund arrives and comes back', refunds: 'come_back' },
  {
    number: '4000008400001629',
    brand: 'visa',
    about: 'asks for authentication, then declined',
    challenge: 'always',
    decline: declined('generic_decline'),
  },
];

/** The bank's refusal when authentication is needed and the customer is absent. */
export const NEEDS_AUTHENTICATION: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The refusal when the customer fails the authentication. */
export const NOT_AUTHENTICATED: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** A valid number outside of the table is refused as the processor refuses a real card in test mode. */
const REAL_CARD = declined('test_mode_live_card', 'Your card was declined. Your request was in test mode, but used a non test card.');

/** The table's row for `number`, which must be digits only. */
export function findTestCard(number: string): TestCard {
  return TEST_CARDS.find((card) => card.number === number) ?? { number, brand: 'visa', about: 'unknown', decline: REAL_CARD };
}

export const findTestCardByToken = (token: string): TestCard | undefined => TEST_CARDS.find((card) => card.token === token);

/** Whether the customer must authenticate this charge with the bank. */
export function asksForAuthentication(row: TestCard, { setUp, offSession }: { setUp: boolean; offSession: boolean }): boolean {
  switch (row.challenge) {
    case undefined:
      return false;
    case 'always':
      return true;
    case 'until_set_up':
      return !offSession || !setUp;
    case 'on_session':
      return !offSession;
  }
}

/** Whether the number has the right length and check digit. */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
