// The username of a line: <base>[-country-<code>[_<code>...]][-not-<code>[_<code>...]][-state-<s>][-city-<c>][-asn-<n>]
// [-session-<n>[-sessionttl-<minutes>][-turn-<n>][-onlost-switch]]. An unknown or repeated part is refused: ignoring it could send traffic from another
// place than the customer expects.
import { fail } from '#platform/errors.ts';
import { LINE_COUNTRIES_MAX } from '../../schema/limits.ts';
import { LINE_PARTS, type LinePart } from '../../schema/line-parts.ts';
import { type CountriesFault, type LineCountries, countriesOf, faultOf, isSeveral, joinCountries } from './line-countries.ts';
import { POOLS } from './pools.ts';

export interface LineTarget extends LineCountries {
  state?: string;
  city?: string;
  /** Number of the autonomous system. */
  asn?: string;
  session?: string;
  /** How often the session has asked for another exit; absent: never. */
  turn?: number;
  /** Minutes. */
  lifetime?: number;
  /** The session may switch to another exit when it loses its exit; otherwise it fails. */
  switchesWhenLost: boolean;
}

/** Common other spellings of country codes. */
const WRITTEN: Readonly<Record<string, string>> = { uk: 'gb' };
const COUNTRY_CODES = new Set(POOLS.map(({ code }) => code));
const MAX_LENGTH = 255;
const CODES = /^[a-z]{2,3}(_[a-z]{2,3})*$/;

const SHAPES: Readonly<Record<LinePart, RegExp>> = {
  country: CODES,
  not: CODES,
  state: /^[a-z0-9_]{1,64}$/,
  city: /^[a-z0-9_]{1,64}$/,
  asn: /^[1-9]\d{0,9}$/,
  session: /^[0-9A-Za-z]{1,32}$/,
  sessionttl: /^[1-9]\d{0,4}$/,
  turn: /^(0|[1-9]\d{0,8})$/,
  onlost: /^(switch|fail)$/,
};

/** The parts that say something of a session. */
const OF_SESSIONS = ['sessionttl', 'turn', 'onlost'] as const;

/** The plan's username; undefined when it cannot be one. */
export function baseOf(username: string): string | undefined {
  if (username.length > MAX_LENGTH) return undefined;
  const end = username.indexOf('-');
  const base = end < 0 ? username : username.slice(0, end);
  return /^[0-9a-z]{1,64}$/.test(base) ? base : undefined;
}

/** The part of a username before the session: base and place. */
export const targetPart = (base: string, { country, not, state, city }: Pick<LineTarget, 'country' | 'not' | 'state' | 'city'>): string =>
  `${base}-country-${country}${not === undefined ? '' : `-not-${not}`}` +
  `${state === undefined ? '' : `-state-${state}`}${city === undefined ? '' : `-city-${city}`}`;

/** The part with the session number of a sticky line. */
export const sessionPart = (number: string, minutes: number): string => `-session-${number}-sessionttl-${minutes}`;

const refuse = (reason: string) => fail('proxy_username_invalid', {}, reason);

const FAULTS: Record<CountriesFault['kind'], (fault: CountriesFault) => string> = {
  pool_with_others: ({ code }) => `country in the proxy username names ${code} with others: any and eu stand alone.`,
  named_twice: ({ code }) => `country in the proxy username names ${code} more than once.`,
  excluded_twice: ({ code }) => `not in the proxy username names ${code} more than once.`,
  pool_excluded: ({ code }) => `not in the proxy username takes countries alone: ${code} is none.`,
  named_and_excluded: ({ code }) => `The proxy username names ${code} and excludes it.`,
  too_many: ({ list }) => `${list} in the proxy username names more than ${LINE_COUNTRIES_MAX} countries.`,
};

function readCountries(country: string, not: string | undefined): LineCountries {
  const codes = (word: string) => countriesOf(word).map((code) => WRITTEN[code] ?? code);
  const [named, excluded] = [codes(country), not === undefined ? [] : codes(not)];
  const unknown = [...named, ...excluded].find((code) => !COUNTRY_CODES.has(code));
  if (unknown !== undefined) throw refuse(`The country ${unknown} in the proxy username is not known.`);
  const fault = faultOf(named, excluded);
  if (fault) throw refuse(FAULTS[fault.kind](fault));
  return joinCountries(named, excluded);
}

function readParts(username: string): Partial<Record<LinePart, string>> {
  const [, ...words] = username.split('-');
  const found: Partial<Record<LinePart, string>> = {};
  for (let index = 0; index < words.length; index += 2) {
    const name = LINE_PARTS.find((part) => part === words[index]);
    if (!name) throw refuse('The proxy username has a part that is not known.');
    if (found[name] !== undefined) throw refuse(`The proxy username says ${name} more than once.`);
    const raw = words[index + 1] ?? '';
    const value = name === 'session' ? raw : raw.toLowerCase();
    if (!SHAPES[name].test(value)) throw refuse(`The value of ${name} in the proxy username is not possible.`);
    found[name] = value;
  }
  return found;
}

/** Throws `proxy_username_invalid` and names the wrong part. `allowedMinutes`: the product's session lifetimes. */
export function readLineTarget(username: string, allowedMinutes: readonly number[]): LineTarget {
  const parts = readParts(username);
  const { state, city, asn, session, sessionttl, turn, onlost } = parts;
  const countries = readCountries(parts.country ?? 'any', parts.not);
  const isSingle = !isSeveral(countries) && countries.country !== 'any' && countries.country !== 'eu';
  if ((state ?? city) !== undefined && !isSingle) throw refuse('state and city in the proxy username need a single country.');
  const alone = session === undefined ? OF_SESSIONS.find((name) => parts[name] !== undefined) : undefined;
  if (alone !== undefined) throw refuse(`${alone} in the proxy username needs a session.`);
  // Spec, Endpoints: the default time is 60.
  const lifetime = sessionttl === undefined ? 60 : Number(sessionttl);
  if (session !== undefined && !allowedMinutes.includes(lifetime))
    throw refuse(`sessionttl in the proxy username must be one of ${allowedMinutes.join(', ')}.`);
  return {
    ...countries,
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
    ...(asn !== undefined && { asn }),
    ...(session !== undefined && { session, lifetime }),
    ...(turn !== undefined && turn !== '0' && { turn: Number(turn) }),
    switchesWhenLost: onlost === 'switch',
  };
}
