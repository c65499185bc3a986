import type { ErrorTerms, ReasonTerms } from './terms.ts';
import { WEBHOOKS } from '../limits.ts';

export const WEBHOOKS_ERRORS = {
  push_device_not_found: { status: 404, message: 'There is no such browser.' },
  too_many_push_devices: { status: 409, message: 'At most ten browsers of an account show notifications: remove one first.' },
  too_many_webhooks: { status: 409, message: 'An account has at most ten webhook end points: remove one first.' },
  webhook_event_not_found: { status: 404, message: `There is no such event: events are kept for ${WEBHOOKS.keptDays} days.` },
  webhook_not_found: { status: 404, message: 'There is no such webhook end point.' },
} as const satisfies ErrorTerms;

export const WEBHOOKS_REASONS = {
  push_key_unfit: 'It is no key of a push subscription, as a browser gives it.',
  webhook_description_long: 'The description has more than {max} characters.',
  webhook_type_unknown: '{type} is no type of event that is sent.',
  webhook_url_credentials: 'url must not carry a user name or password: verify the signature instead.',
  webhook_url_https: 'url must be an address that begins with https://.',
} as const satisfies ReasonTerms;
