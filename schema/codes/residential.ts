import type { ErrorTerms } from './terms.ts';

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
