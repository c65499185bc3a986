// The processor's published test cards: a number decides what happens. https://docs.stripe.com/testing

export interface Decline {
  code: string;
  declineCode?: string;
  message: string;
}

export interface TestCard {
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** What the row is for, shown on the checkout page. */
  about: string;
  /** The customer must confirm with the bank first. */
  challenge?: true;
  /** The refusal, after the challenge where there is one. */
  decline?: Decline;
}

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({ code: 'card_declined', declineCode, message });

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', about: 'pays' },
  { number: '4000056655665556', brand: 'visa', about: 'pays (debit)' },
  { number: '5555555555554444', brand: 'mastercard', about: 'pays' },
  { number: '378282246310005', brand: 'amex', about: 'pays, CVC of 4 digits' },
  { number: '4000000000000002', brand: 'visa', about: 'declined', decline: declined('generic_decline') },
  {
    number: '4000000000009995',
    brand: 'visa',
    about: 'insufficient funds',
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  { number: '4000000000009987', brand: 'visa', about: 'lost card', decline: declined('lost_card') },
  { number: '4000000000009979', brand: 'visa', about: 'stolen card', decline: declined('stolen_card') },
  { number: '4000000000000341', brand: 'visa', about: 'can be saved, declined when charged', decline: declined('generic_decline') },
  { number: '4000000000000069', brand: 'visa', about: 'expired', decline: { code: 'expired_card', message: 'Your card has expired.' } },
  {
    number: '4000000000000127',
    brand: 'visa',
    about: 'wrong CVC',
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    about: 'processing error',
    decline: { code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' },
  },
  { number: '4000002500003155', brand: 'visa', about: 'asks for authentication, then pays', challenge: true },
  { number: '4000002760003184', brand: 'visa', about: 'always asks for authentication, then pays', challenge: true },
  {
    number: '4000008400001629',
    brand: 'visa',
    about: 'asks for authentication, then declined',
    challenge: true,
    decline: declined('generic_decline'),
  },
];

/** A plausible number outside the table is refused as the processor refuses a real card in test mode. */
const REAL_CARD = declined('test_mode_live_card', 'Your card was declined. Your request was in test mode, but used a non test card.');

/** The table's row of `number` (digits only). */
export function findTestCard(number: string): TestCard {
  return TEST_CARDS.find((card) => card.number === number) ?? { number, brand: 'visa', about: 'unknown', decline: REAL_CARD };
}

/** The check digit of a card number. */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
