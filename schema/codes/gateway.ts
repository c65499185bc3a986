import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const GATEWAY_ERRORS = {
  content_type_refused: { status: 415, message: 'Send the request as application/json.' },
  document_not_known: {
    status: 400,
    message: 'Without an API key only the operations of this version of the dashboard are answered: load the page again, or send a key.',
  },
  document_not_registered: {
    status: 403,
    message: 'This API key asks registered documents alone, and this one is not registered.',
  },
  graph_changed: { status: 503, message: 'The API has changed under this subscription: open it again.', retryable: true },
  not_acceptable: { status: 406, message: 'None of the media types that Accept names is available.' },
  origin_forbidden: { status: 403, message: 'Requests from this origin are not accepted.' },
  persisted_query_not_found: { status: 404, message: 'No document with this hash is registered: send it whole, with its hash.' },
  query_refused: { status: 400, message: 'This GraphQL request is not accepted.' },
  rate_limited: { status: 429, message: 'Too many requests: wait for the time that RateLimit-Reset gives.', retryable: true },
} as const satisfies ErrorTerms;

export const GATEWAY_REASONS = {
  body_not_graphql: 'The body is not one GraphQL request.',
  cost_budget_used: 'Too much was asked for within a minute: wait for the time that Retry-After gives, or ask for less.',
  dashboard_not_built: 'The dashboard is not built: run npm run build.',
  document_invalid: 'Document {number} is not valid ({problem}).',
  documents_count: 'documents takes 1 to {max} texts.',
  documents_too_many: 'An account registers at most {max} documents: remove some.',
  graphql_batch: 'Batches are not answered: send each operation by itself, or several fields in one operation.',
  hash_not_of_document: 'The hash is not that of the document.',
  key_lacks_scope: 'This API key lacks the scope {scope}: support issues keys that have it.',
  key_not_session: 'This is for a signed-in person, not for an API key.',
  key_reads_only: 'This API key may only read.',
  path_unfit: 'The path is not valid.',
} as const satisfies ReasonTerms;
