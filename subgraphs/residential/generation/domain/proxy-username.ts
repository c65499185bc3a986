// How proxy usernames are written. Spec, Generated proxy line: <base_user>-country-<country_code>-session-<session_number>-sessionttl-<minutes>.
import type { Target } from './targeting.ts';

/** The part before the session: base username and target. */
export const targetPart = (base: string, { country, state, city }: Target): string =>
  `${base}-country-${country}${state === undefined ? '' : `-state-${state}`}${city === undefined ? '' : `-city-${city}`}`;

/** The part with the session number of a sticky line. */
export const sessionPart = (number: string, minutes: number): string => `-session-${number}-sessionttl-${minutes}`;
