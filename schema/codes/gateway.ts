import type { ErrorTerms } from './terms.ts';

export const GATEWAY_ERRORS = {
  content_type_refused: { status: 415, message: 'Send the request as application/json.' },
  origin_forbidden: { status: 403, message: 'Requests from this origin are not accepted.' },
  query_refused: { status: 400, message: 'This GraphQL request is not accepted.' },
  rate_limited: { status: 429, message: 'Too many requests: wait for the time that RateLimit-Reset gives.', retryable: true },
} as const satisfies ErrorTerms;
