// Opaque, prefixed, time-ordered identifiers: `plan_01jd...`, with milliseconds, counter and random bits as in UUIDv7 (RFC 9562, 6.2), in Crockford's base 32.
import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'acct'
  | 'key'
  | 'acp'
  | 'imp'
  | 'sess'
  | 'mail'
  | 'ord'
  | 'pay'
  | 'sub'
  | 'inv'
  | 'jrn'
  | 'rfnd'
  | 'crdt'
  | 'coup'
  | 'rep'
  | 'risk'
  | 'legal'
  | 'bmov'
  | 'pout'
  | 'evt'
  | 'hook'
  | 'dlv'
  | 'plan'
  | 'user'
  | 'batch'
  | 'net'
  | 'isp'
  | 'dc'
  | 'addr'
  | 'vps'
  | 'ded'
  | 'mach'
  | 'op'
  | 'bkp'
  | 'off'
  | 'gwb'
  | 'req'
  | 'act'
  | 'deed'
  | 'chal'
  | 'link'
  | 'pass'
  | 'abuse'
  | 'abent'
  | 'ask'
  | 'swap'
  | 'out'
  | 'held'
  | 'disp'
  | 'warn'
  | 'att'
  | 'vat'
  | 'ann'
  | 'inc'
  | 'incu'
  | 'ssh'
  | 'push'
  | 'note'
  | 'memb'
  | 'invt'
  | 'cat';

/** A stock of random bytes: asking the system for ten at a time costs more than all the rest of an id. */
const stock = Buffer.alloc(4_096);
let drawn = stock.length;

function random(): number {
  if (drawn === stock.length) {
    randomFillSync(stock);
    drawn = 0;
  }
  return (stock[drawn++] ?? 0) & 31;
}

const COUNTER_LETTERS = 4;
/** Starts somewhere in the lower half of the range, so that at least half a million ids fit into one millisecond. */
const newCounter = (): number => ((random() & 15) << 15) | (random() << 10) | (random() << 5) | random();
let lastTime = 0;
let counter = 0;

function letters(number: number, count: number): string {
  let text = '';
  for (let left = number, index = 0; index < count; index++, left = Math.floor(left / 32)) text = ALPHABET.charAt(left % 32) + text;
  return text;
}

/**
 * A new id: 50 bits of milliseconds, a 20-bit counter within the millisecond, 60 random bits. Ids made later in one process sort later, unless its clock was
 * set back.
 */
export function newId(prefix: IdPrefix, clock: Clock): string {
  const time = clock.now().getTime();
  counter = time === lastTime && counter < 32 ** COUNTER_LETTERS - 1 ? counter + 1 : newCounter();
  lastTime = time;
  let tail = '';
  for (let index = 0; index < 12; index++) tail += ALPHABET.charAt(random());
  return `${prefix}_${letters(time, 10)}${letters(counter, COUNTER_LETTERS)}${tail}`;
}

/** Whether a string has the form of an id of this kind; if not, it need not be looked up. */
export const isId = (prefix: IdPrefix, value: string): boolean =>
  value.length === prefix.length + 27 && value.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(prefix.length + 1));
