// The checks of what an owner sets on an end point.
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** The URL in the form in which it is stored. `insecure`: http is allowed too. `field`: how the caller names it. Errors: parameter_invalid. */
export function checkUrl(text: string, insecure: boolean, field = 'url'): string {
  const url = URL.canParse(text) && text.length <= TEXT_MAX.webhookUrl ? new URL(text) : undefined;
  const schemes = insecure ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) throw fail('parameter_invalid', { field, reason: because('webhook_url_https') });
  if (url.username !== '' || url.password !== '') throw fail('parameter_invalid', { field, reason: because('webhook_url_credentials') });
  url.hash = '';
  return url.href;
}

/** Errors: parameter_invalid. */
export function checkDescription(text: string): string {
  if (text.length > TEXT_MAX.webhookDescription)
    throw fail('parameter_invalid', {
      field: 'description',
      reason: because('webhook_description_long', { max: TEXT_MAX.webhookDescription }),
    });
  return text;
}
