import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const COMMERCE_ERRORS = {
  hold_too_large: { status: 409, message: 'So much of this cannot be held for an order that is not paid.' },
  offer_expired: { status: 409, message: 'This offer has expired: ask for a new one.' },
  offer_invalid: { status: 400, message: 'This offer is not valid.' },
  offer_ordered: { status: 409, message: 'This offer has been ordered already.' },
  out_of_stock: { status: 409, message: 'There is not enough of this in stock at the moment.' },
} as const satisfies ErrorTerms;

export const COMMERCE_REASONS = {
  custom_offer_days: 'A custom offer stands for 1 to {max} days.',
  hold_limited: 'Only {max} of these can be held until the payment: order {max}, and more when that is paid.',
  hold_used_up: 'None of these can be held for another unpaid order at the moment: pay what waits, or try again in a few minutes.',
  sold_out: 'Out of stock at the moment.',
} as const satisfies ReasonTerms;
