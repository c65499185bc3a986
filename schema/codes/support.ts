import type { ReasonTerms } from './terms.ts';

export const SUPPORT_REASONS = {
  arrangement_past: 'validUntil has passed.',
  line_length: 'This has 1 to {max} characters.',
  message_too_long: 'A message has at most {max} characters.',
  offer_arranged_already: 'This offer stands in an arrangement already.',
  offer_of_catalogue: 'This price is of the catalogue, and stands for minutes only.',
  order_not_cancellable: 'This order is {status}: only one that waits for its payment can be cancelled.',
  order_not_redeliverable: 'This order is {status}: only one that is paid and not delivered can be delivered again.',
  requests_wait: '{count} requests of this account wait for an answer already.',
  terms_length: 'The terms have 1 to {max} characters.',
} as const satisfies ReasonTerms;
