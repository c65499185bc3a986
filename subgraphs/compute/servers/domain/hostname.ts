import { because, fail } from '#platform/errors.ts';

/** Letters, digits and hyphens, in parts of 1 to 63 characters. */
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** A name whose last part is a number is read as an address by resolvers and browsers: 1.2.3.4, 127.1, 0x7f000001 (WHATWG URL, 3.5). */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/** The host name in lower case. Throws `parameter_invalid` with the field. */
export function checkHostname(given: string, field = 'hostname'): string {
  const hostname = given.trim().toLowerCase();
  if (!HOSTNAME.test(hostname)) throw fail('parameter_invalid', { field, reason: because('hostname_unfit') });
  if (ENDS_IN_NUMBER.test(hostname)) throw fail('parameter_invalid', { field, reason: because('hostname_is_address') });
  return hostname;
}
