// Opaque, prefixed, time-ordered identifiers: `plan_01jd...` with the 128 bits of a UUIDv7 in Crockford's base 32.
import { randomFillSync } from 'node:crypto';
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
  | 'mach'
  | 'op'
  | 'bkp'
  | 'off'
  | 'req'
  | 'act'
  | 'chal'
  | 'link'
  | 'pass'
  | 'ask'
  | 'swap'
  | 'out';

/** Random bytes are drawn in stock: asking the system for ten at a time costs more than all the rest of an id. */
const stock = Buffer.alloc(4_096);
let drawn = stock.length;

/** A new id: 48 bits of milliseconds, then 80 random ones; ids made later sort later, to the millisecond. */
export function newId(prefix: IdPrefix, clock: Clock): string {
  let time = '';
  for (let left = clock.now().getTime(), index = 0; index < 10; index++, left = Math.floor(left / 32))
    time = ALPHABET.charAt(left % 32) + time;
  if (drawn + 16 > stock.length) {
    randomFillSync(stock);
    drawn = 0;
  }
  let random = '';
  for (let index = 0; index < 16; index++) random += ALPHABET.charAt((stock[drawn++] ?? 0) & 31);
  return `${prefix}_${time}${random}`;
}

/** Whether a string can be an id of this kind; an impossible one need not be looked up. */
export const isId = (prefix: IdPrefix, value: string): boolean =>
  value.length === prefix.length + 27 && value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(prefix.length + 1));
