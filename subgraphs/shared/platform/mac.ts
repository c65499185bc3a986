// Signs texts so that only the platform can have made them, verifies them, and compares texts in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';

type SigningKey = string | Buffer;

/** The present key signs; signatures of previous keys are valid too. */
export type SigningKeys<Key extends SigningKey = string> = readonly [present: Key, ...previous: Key[]];

/** HMAC-SHA-256 as base64url. A text that is signed for one purpose begins with the purpose, or has its own secret. */
export const macOf = ([present]: SigningKeys<SigningKey>, text: string): string => macBy(present, text);

/** Whether one of the keys made this MAC. */
export const isSigned = (keys: SigningKeys<SigningKey>, text: string, mac: string): boolean =>
  keys.some((key) => isSameText(mac, macBy(key, text)));

const macBy = (key: SigningKey, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** Whether two texts are equal. How long it takes does not reveal how much of them is equal. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `<base64url JSON>.<mac>`. `purpose` is signed too: a token for one purpose is not valid for another. */
export function signJson(keys: SigningKeys, value: object, purpose = ''): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${macOf(keys, `${purpose}${body}`)}`;
}

/** The value that signJson signed for this purpose; undefined for anything else. */
export function openJson<Value extends object>(keys: SigningKeys, token: string, purpose = ''): Value | undefined {
  const [body, mac, ...more] = token.split('.');
  if (body === undefined || mac === undefined || more.length > 0) return undefined;
  if (!isSigned(keys, `${purpose}${body}`, mac)) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Value;
}
