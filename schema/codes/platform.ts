import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const PLATFORM_ERRORS = {
  action_not_allowed: { status: 409, message: 'This action is not possible in the present state.' },
  announcement_not_found: { status: 404, message: 'There is no such announcement that is shown or to come.' },
  event_not_found: { status: 404, message: 'There is no such event that failed.' },
  forbidden: { status: 403, message: 'You may not do this.' },
  headers_too_large: { status: 431, message: 'The headers of the request are too large.' },
  impersonation_reads_only: { status: 403, message: 'Support looks at this account, and changes nothing in it.' },
  incident_not_found: { status: 404, message: 'There is no such incident that goes on.' },
  internal: { status: 500, message: 'Something went wrong on our side. It is safe to try again.', retryable: true },
  job_not_found: { status: 404, message: 'There is no such job that failed.' },
  limit_invalid: { status: 400, message: 'limit must be a whole number from 1 to 100.' },
  method_not_allowed: { status: 405, message: 'This path does not take requests of this method.' },
  overloaded: { status: 503, message: 'The service is busy. Please try again shortly.', retryable: true },
  own_account_refused: { status: 403, message: 'Nobody does this for their own account: ask another member of support.' },
  page_invalid: { status: 400, message: 'page must be a whole number from 1 on.' },
  parameter_invalid: { status: 400, message: 'A parameter is not valid.' },
  parameter_missing: { status: 400, message: 'A required parameter is missing.' },
  parameter_repeated: { status: 400, message: 'A parameter was given more than once.' },
  permission_missing: { status: 403, message: 'None of your roles includes this.' },
  quantity_invalid: { status: 400, message: 'The quantity is out of range.' },
  request_not_found: { status: 404, message: 'There is no such open request.' },
  request_timed_out: { status: 408, message: 'The request did not arrive in time.', retryable: true },
  request_too_large: { status: 413, message: 'The request is too large.' },
  route_not_found: { status: 404, message: 'There is nothing at this path.' },
  signature_invalid: { status: 400, message: 'The signature does not match.' },
  unsigned_request: { status: 401, message: 'Requests come through the gateway.' },
  vendor_unavailable: { status: 503, message: 'A service that this needs does not answer: please try again shortly.', retryable: true },
} as const satisfies ErrorTerms;

export const PLATFORM_REASONS = {
  body_not_json: 'The body is not JSON.',
  body_not_object: 'The body is not a JSON object.',
  number_out_of_range: '{name} must be a whole number from 1 to {max, number}.',
  permission_of_roles: 'This needs the permission {permission}, which these roles have: {roles}.',
  since_too_long: 'since takes at most {max} places.',
} as const satisfies ReasonTerms;
