// The grammar of proxy usernames. Spec, Generated proxy line: <base_user>-country-<country_code>-session-<session_number>-sessionttl-<minutes>.
import type { Target } from './targeting.ts';

/** The part before the session: base and target. */
export const targetPart = (base: string, { country, state, city }: Target): string =>
  `${base}-country-${country}${state === undefined ? '' : `-state-${state}`}${city === undefined ? '' : `-city-${city}`}`;

/** The part that is put around a session number of a sticky line. */
export const sessionPart = (number: string, minutes: number): string => `-session-${number}-sessionttl-${minutes}`;

/**
 * What a network reports: the bare proxy username or the whole of a line's. Unknown or broken parts are left out, since bytes that
 * flowed belong to the base username whatever else stands there.
 */
export function readUsername(text: string): { base: string; country?: string; session?: string } {
  const [base = '', ...parts] = text.split('-');
  const found: { base: string; country?: string; session?: string } = { base };
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const value = parts[index + 1] ?? '';
    if (parts[index] === 'country' && value !== '') found.country = value;
    if (parts[index] === 'session' && value !== '') found.session = value;
  }
  return found;
}
