// The grammar of a line's username as a proxy node takes it:
// <base>[-country-<code>][-state-<s>][-city-<c>][-asn-<n>][-session-<n>[-sessionttl-<minutes>][-onlost-switch]]. An unknown or repeated part is refused and
// never ignored: it would send traffic from another place than its owner thinks.
import { fail } from '#platform/errors.ts';
import { POOLS } from './pools.ts';

export interface LineTarget {
  /** Lower-case ISO 3166 code, `eu` or `any`. */
  country: string;
  state?: string;
  city?: string;
  /** Number of an autonomous system. */
  asn?: string;
  session?: string;
  /** Minutes. */
  lifetime?: number;
  /** A sticky line whose exit is gone fails, unless its owner asked for another exit instead. */
  switchesWhenLost: boolean;
}

/** What people write for a country whose code is another one. */
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

/** The plan's username, for the look-up; undefined when no plan can have it. */
export function baseOf(username: string): string | undefined {
  if (username.length > MAX_LENGTH) return undefined;
  const end = username.indexOf('-');
  const base = end < 0 ? username : username.slice(0, end);
  return /^[0-9a-z]{1,64}$/.test(base) ? base : undefined;
}

const refuse = (reason: string) => fail('proxy_username_invalid', {}, reason);

/** Throws `proxy_username_invalid` with the part that is wrong. `allowedMinutes` are the product's. */
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
