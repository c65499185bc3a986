// Ids in the processor's form: a prefix and base62 characters.
import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** From prefix to the number of characters after it. */
const LENGTHS = {
  cs_test: 58,
  pi: 24,
  ch: 24,
  re: 24,
  evt: 24,
  du: 24,
  issfr: 24,
  txn: 24,
  po: 24,
  file: 24,
  we: 24,
  pm: 24,
  price: 24,
  li: 24,
  il: 24,
  in: 24,
  inpay: 24,
  ii: 24,
  si: 14,
  sub: 24,
  seti: 24,
  cn: 24,
  txr: 24,
  cnli: 24,
  cbtxn: 24,
  clock: 24,
  cus: 14,
  prod: 14,
  req: 14,
} as const;

export function createId(prefix: keyof typeof LENGTHS): string {
  return `${prefix}_${randomCharacters(LENGTHS[prefix])}`;
}

export function randomCharacters(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
