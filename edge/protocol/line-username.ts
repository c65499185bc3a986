// Parses the username of a line:
// <base>[-country-<code>][-state-<s>][-city-<c>][-asn-<n>][-session-<n>[-sessionttl-<minutes>][-onlost-switch]]. An unknown or repeated part is refused:
// ignoring it could send traffic from another place than the customer expects.
import { fail } from '#platform/errors.ts';
import { POOLS } from './pools.ts';

export interface LineTarget {
  /** Lower-case ISO 3166 code, `eu` or `any`. */
  country: string;
  state?: string;
  city?: string;
  /** Number of the autonomous system. */
  asn?: string;
  session?: string;
  /** Minutes. */
  lifetime?: number;
  /** The session may switch to another exit when it loses its exit; otherwise it fails. */
  switchesWhenLost: boolean;
}

/** Common other spellings of country codes. */
const WRITTEN: Readonly<Record<string, string>> = { uk: 'gb' };
const COUNTRY_CODES = new Set(POOLS.map(({ code }) => code));
const MAX_LENGTH = 255;

type PartName = 'country' | 'state' | 'city' | 'asn' | 'session' | 'sessionttl' | 'onlost';

const PARTS: Record<string, { shape: RegExp; name: PartName }> = {
  country: { shape: /^[a-z]{2,3}$/, name: 'country' },
  state: { shape: /^[a-z0-9_]{1,64}$/, name: 'state' },
  city: { shape: /^[a-z0-9_]{1,64}$/, name: 'city' },
  asn: { shape: /^[1-9]\d{0,9}$/, name: 'asn' },
  session: { shape: /^[0-9A-Za-z]{1,32}$/, name: 'session' },
  sessionttl: { shape: /^[1-9]\d{0,4}$/, name: 'sessionttl' },
  onlost: { shape: /^(switch|fail)$/, name: 'onlost' },
};

/** The plan's username; undefined when it cannot be one. */
export function baseOf(username: string): string | undefined {
  if (username.length > MAX_LENGTH) return undefined;
  const end = username.indexOf('-');
  const base = end < 0 ? username : username.slice(0, end);
  return /^[0-9a-z]{1,64}$/.test(base) ? base : undefined;
}

const refuse = (reason: string) => fail('proxy_username_invalid', {}, reason);

/** Throws `proxy_username_invalid` and names the wrong part. `allowedMinutes`: the product's session lifetimes. */
export function readLineTarget(username: string, allowedMinutes: readonly number[]): LineTarget {
  const [, ...words] = username.split('-');
  const found: Partial<Record<PartName, string>> = {};
  for (let index = 0; index < words.length; index += 2) {
    const word = words[index] ?? '';
    const part = Object.hasOwn(PARTS, word) ? PARTS[word] : undefined;
    if (!part) throw refuse('The proxy username has a part that is not known.');
    if (found[part.name] !== undefined) throw refuse(`The proxy username says ${part.name} more than once.`);
    const raw = words[index + 1] ?? '';
    const value = part.name === 'session' ? raw : raw.toLowerCase();
    if (!part.shape.test(value)) throw refuse(`The value of ${part.name} in the proxy username is not possible.`);
    found[part.name] = part.name === 'country' ? (WRITTEN[value] ?? value) : value;
  }
  const { country = 'any', state, city, asn, session, sessionttl, onlost } = found;
  if (!COUNTRY_CODES.has(country)) throw refuse('The country in the proxy username is not known.');
  if ((state ?? city) !== undefined && (country === 'any' || country === 'eu'))
    throw refuse('state and city in the proxy username need a single country.');
  if (session === undefined && sessionttl !== undefined) throw refuse('sessionttl in the proxy username needs a session.');
  if (session === undefined && onlost !== undefined) throw refuse('onlost in the proxy username needs a session.');
  // Spec, Endpoints: the default time is 60.
  const lifetime = sessionttl === undefined ? 60 : Number(sessionttl);
  if (session !== undefined && !allowedMinutes.includes(lifetime))
    throw refuse(`sessionttl in the proxy username must be one of ${allowedMinutes.join(', ')}.`);
  return {
    country,
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
    ...(asn !== undefined && { asn }),
    ...(session !== undefined && { session, lifetime }),
    switchesWhenLost: onlost === 'switch',
  };
}
