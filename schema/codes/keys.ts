import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const KEYS_ERRORS = {
  address_not_allowed: { status: 403, message: 'This API key does not work from this address.' },
  api_not_allowed: { status: 403, message: 'This account is not allowed to use the API.' },
  key_ceiling_reached: { status: 409, message: 'This API key may not order for so much in this month.' },
  key_expired: { status: 401, message: 'This API key has expired.' },
  key_malformed: { status: 401, message: 'This is not an API key: check that it was copied whole.' },
  key_missing: { status: 401, message: 'An API key is required: send the header Authorization: Bearer <API_KEY>.' },
  key_not_active: { status: 409, message: 'This API key does not work any more.' },
  key_not_found: { status: 404, message: 'There is no such API key.' },
  key_revoked: { status: 401, message: 'This API key has been revoked.' },
  key_unknown: { status: 401, message: 'This API key is not known.' },
} as const satisfies ErrorTerms;

export const KEYS_REASONS = {
  key_address_unfit: '{address} is neither an address nor a network.',
  key_addresses_too_many: 'At most {max} addresses can be allowed.',
  key_expiry_past: 'expiresAt has passed.',
  key_note_too_long: 'The note has more than {max} characters.',
  key_order_ceiling: 'The ceiling is from 0 to {max}.',
  key_orders_left: 'This costs {price}: in this month {left} of {ceiling} are left to this key.',
  key_orders_off: 'This key may not order: support grants it, and its owner has not switched it off.',
  key_overlap_hours: 'overlapHours is a whole number from 0 to {max}.',
  key_scopes_missing: 'A partner key needs at least one scope.',
  key_standard_is_plain: 'A standard key has neither scopes nor addresses of its own.',
} as const satisfies ReasonTerms;
