import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const RESIDENTIAL_ERRORS = {
  bandwidth_used_up: { status: 402, message: 'This package is used up: buy a new one.' },
  batch_not_found: { status: 404, message: 'The account has no such batch of lines.' },
  batch_outdated: { status: 409, message: 'These lines carry a password from before a reset: generate new ones.' },
  city_unknown: { status: 400, message: 'There is no such city in the given pool.' },
  daily_limit_reached: { status: 429, message: 'The Daily Usage Limit of this plan is reached: it goes on at 00:00 UTC.', retryable: true },
  edge_not_found: { status: 404, message: 'There is no such proxy node.' },
  edge_unknown: { status: 401, message: 'This proxy node is not enrolled.' },
  limit_not_available: { status: 409, message: 'A Daily Usage Limit is available for Premium plans only.' },
  limit_too_low: { status: 400, message: 'A Daily Usage Limit is at least 1 GB.' },
  list_not_found: { status: 404, message: 'This list was taken back, or never was: ask whoever gave you its address.' },
  plan_expired: { status: 404, message: 'This plan is used up: buy a new package.' },
  plan_not_found: { status: 404, message: 'The account has no such plan.' },
  pool_unknown: { status: 400, message: 'pool must be a country name, an ISO 3166 code, Worldwide or Europe.' },
  state_unknown: { status: 400, message: 'There is no such state in the given pool.' },
  targeting_needs_country: { status: 400, message: 'state and city need a pool that is a single country.' },
  time_not_allowed: { status: 400, message: 'time is not in the list of this product.' },
} as const satisfies ErrorTerms;

export const RESIDENTIAL_REASONS = {
  custom_package_size: 'A custom package has 1 to {max, number} whole GB.',
  daily_limit_decimals: 'A Daily Usage Limit has at most 3 decimals of a GB.',
  daily_limit_premium_only: 'A Daily Usage Limit is available for Premium plans only.',
  edge_draining: 'It takes no new connections already.',
  edge_id_unfit: 'A proxy node needs an id of small letters, digits and hyphens that no other has.',
  edge_key_revoked: 'Its key is revoked.',
  edge_not_draining: 'It takes connections already.',
  edge_without_key: 'It runs inside the platform and has no key.',
  held_line_closed: '{id} is more than a petabyte, or of a time whose days are closed: discard it.',
  held_lines_count: 'ids takes 1 to {max} lines.',
  instant_unfit: '{name} must be an instant like 2026-01-15T00:00:00Z.',
  package_size: 'A package has 1 to 10,000 whole GB; for more, please write to us.',
  plan_used_up: 'This plan is used up: buy a new package.',
  price_not_positive: 'The price is above 0.',
  reset_when_used_up: 'Proxy authentication can be reset on an active plan only; this one is used up.',
  reset_while_paused:
    'Proxy authentication can be reset on an active plan only; this one is paused until 00:00 UTC by its Daily Usage Limit.',
  session_time_unfit: 'time must be one of {allowed} minutes for {product}.',
  usage_report_unfit: 'A usage report has a source, an id and at most 5,000 lines.',
  usage_span_reversed: 'from must be earlier than to.',
  usage_span_too_long: 'An explanation covers at most {max} days.',
} as const satisfies ReasonTerms;
