import type { ErrorTerms } from './terms.ts';

export const BILLING_ERRORS = {
  bank_transfer_too_small: { status: 400, message: 'A bank transfer is not possible for so small an amount.' },
  card_amount_too_small: { status: 400, message: 'So small an amount cannot be charged to a card.' },
  card_not_found: { status: 404, message: 'The account has no such saved card.' },
  crypto_not_available: { status: 409, message: 'Payment by cryptocurrency is not set up here.' },
  idempotency_conflict: { status: 422, message: 'This idempotency key was used with another request.' },
  idempotency_in_flight: { status: 409, message: 'A request with this idempotency key is still being worked on.', retryable: true },
  invoice_not_found: { status: 404, message: 'There is no such invoice.' },
  mail_not_found: { status: 404, message: 'No such mail waits to be sent again.' },
  order_not_found: { status: 404, message: 'There is no such order.' },
  order_not_pending: { status: 409, message: 'This order is not waiting for its payment any more.' },
  payment_needs_confirmation: { status: 402, message: 'The bank wants this payment confirmed.' },
  payment_refused: { status: 402, message: 'The card was refused.' },
  staff_limit_reached: { status: 403, message: 'This is more than one member of support gives in a day: ask a second person for it.' },
  subscription_not_found: { status: 404, message: 'There is no such subscription.' },
  too_many_unpaid_orders: { status: 409, message: 'Too many of your orders wait for their payment: pay or cancel one of them first.' },
} as const satisfies ErrorTerms;
