import { fail } from '#shared/errors.ts';

/** Letters, digits and hyphens in parts of 1 to 63, as names of hosts are. */
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The host name in lower case. Throws `parameter_invalid` with the field. */
export function checkHostname(given: string, field = 'hostname'): string {
  const hostname = given.trim().toLowerCase();
  if (!HOSTNAME.test(hostname)) throw fail('parameter_invalid', { field, reason: 'A host name has letters, digits and hyphens.' });
  return hostname;
}
