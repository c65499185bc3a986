import type { ErrorTerms } from './terms.ts';

export const COMMERCE_ERRORS = {
  hold_too_large: { status: 409, message: 'So much of this cannot be held for an order that is not paid.' },
  offer_expired: { status: 409, message: 'This offer has expired: ask for a new one.' },
  offer_invalid: { status: 400, message: 'This offer is not valid.' },
  offer_ordered: { status: 409, message: 'This offer has been ordered already.' },
  out_of_stock: { status: 409, message: 'There is not enough of this in stock at the moment.' },
} as const satisfies ErrorTerms;
