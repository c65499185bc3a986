// What an owner may say of an end point.
import { because, fail } from '#platform/errors.ts';

const MAX_URL_LENGTH = 2_000;
const MAX_DESCRIPTION_LENGTH = 200;

/** In the form in which it is stored. Errors: parameter_invalid. `insecure`: also http. */
export function checkUrl(text: string, insecure: boolean): string {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : undefined;
  const schemes = insecure ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) throw fail('parameter_invalid', { field: 'url', reason: because('webhook_url_https') });
  if (url.username !== '' || url.password !== '')
    throw fail('parameter_invalid', { field: 'url', reason: because('webhook_url_credentials') });
  url.hash = '';
  return url.href;
}

/** Errors: parameter_invalid. */
export function checkDescription(text: string): string {
  if (text.length > MAX_DESCRIPTION_LENGTH)
    throw fail('parameter_invalid', { field: 'description', reason: because('webhook_description_long', { max: MAX_DESCRIPTION_LENGTH }) });
  return text;
}
