// What PayPal's issues of a refused charge mean for another attempt, and for who pays. https://developer.paypal.com/api/rest/reference/orders/v2/errors/,
// https://developer.paypal.com/api/handle-payment-failures
import type { WhatToDo } from '../../domain/what-to-do.ts';
import type { Refused } from '../recurring-charges.ts';

interface Decline {
  message: string;
  isFinal: boolean;
  whatToDo: WhatToDo;
}

const GONE = 'This PayPal account can no longer be charged by us.';
const CLOSED = 'PayPal lets this account pay nothing.';

/** What lies with the payer, or with what they pay by. */
const DECLINES: Readonly<Record<string, Decline>> = {
  INSTRUMENT_DECLINED: { message: 'The bank or card behind the PayPal account has declined.', isFinal: false, whatToDo: 'add_money' },
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: {
    message: 'The bank or card behind the PayPal account has declined.',
    isFinal: false,
    whatToDo: 'add_money',
  },
  PAYER_CANNOT_PAY: { message: 'This PayPal account cannot pay this.', isFinal: false, whatToDo: 'other_means' },
  TRANSACTION_REFUSED: { message: 'PayPal has refused the payment.', isFinal: false, whatToDo: 'ask_bank' },
  TRANSACTION_LIMIT_EXCEEDED: { message: 'The PayPal account has reached its limit.', isFinal: false, whatToDo: 'wait' },
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: { message: 'It has been tried too often.', isFinal: false, whatToDo: 'wait' },
  PAYER_ACTION_REQUIRED: { message: 'PayPal wants its owner to agree anew.', isFinal: false, whatToDo: 'other_means' },
  DOMESTIC_TRANSACTION_REQUIRED: { message: 'This PayPal account pays within its country only.', isFinal: true, whatToDo: 'other_means' },
  COMPLIANCE_VIOLATION: { message: CLOSED, isFinal: true, whatToDo: 'other_means' },
  PAYER_ACCOUNT_RESTRICTED: { message: CLOSED, isFinal: true, whatToDo: 'other_means' },
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: { message: CLOSED, isFinal: true, whatToDo: 'other_means' },
  AGREEMENT_ALREADY_CANCELLED: { message: GONE, isFinal: true, whatToDo: 'other_means' },
  BILLING_AGREEMENT_NOT_FOUND: { message: GONE, isFinal: true, whatToDo: 'other_means' },
  TOKEN_ID_NOT_FOUND: { message: GONE, isFinal: true, whatToDo: 'other_means' },
};

export const isPayersTrouble = (issue: string): boolean => Object.hasOwn(DECLINES, issue) || issue === 'ORDER_NOT_APPROVED';

/** Undefined: it does not lie with the payer. */
export function refusedBy(issue: string): Refused | undefined {
  const decline = Object.hasOwn(DECLINES, issue) ? DECLINES[issue] : undefined;
  return decline && { outcome: 'refused', ...decline, declineCode: issue.toLowerCase(), adviceCode: null };
}
