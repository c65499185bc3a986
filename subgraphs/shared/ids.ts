// Opaque, prefixed, time-ordered identifiers: `plan_01jd...` with the 128 bits of a UUIDv7 in Crockford's base 32.
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'acct'
  | 'key'
  | 'sess'
  | 'mail'
  | 'ord'
  | 'pay'
  | 'sub'
  | 'inv'
  | 'jrn'
  | 'rfnd'
  | 'crdt'
  | 'evt'
  | 'hook'
  | 'plan'
  | 'batch'
  | 'isp'
  | 'dc'
  | 'addr'
  | 'vps'
  | 'ded'
  | 'op'
  | 'off'
  | 'req'
  | 'act'
  | 'chal'
  | 'link'
  | 'pass'
  | 'ask';

/** A new id: 48 bits of milliseconds, then 80 random ones; ids made later sort later, to the millisecond. */
export function newId(prefix: IdPrefix, clock: Clock): string {
  let value = (BigInt(clock.now().getTime()) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let body = '';
  for (let index = 0; index < 26; index++) {
    body = ALPHABET[Number(value & 31n)] + body;
    value >>= 5n;
  }
  return `${prefix}_${body}`;
}

/** Whether a string can be an id of this kind; an impossible one need not be looked up. */
export const isId = (prefix: IdPrefix, value: string): boolean =>
  value.length === prefix.length + 27 && value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(prefix.length + 1));
