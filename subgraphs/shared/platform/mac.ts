// Texts that only the platform can have made: signed ones, opened again, and their comparison in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 as base64url. What is signed for one purpose begins with it, or has a secret of its own. */
export const macOf = (secret: string | Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/** Whether two texts are the same; the time that it takes does not say how much of them is the same. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `<base64url JSON>.<mac>`. `purpose` is signed with it: what was signed for one is no good for another. */
export function signJson(secret: string, value: object, purpose = ''): string {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${macOf(secret, `${purpose}${body}`)}`;
}

/** What signJson signed for this purpose; undefined for anything else. */
export function openJson<Value extends object>(secret: string, token: string, purpose = ''): Value | undefined {
  const [body, mac, ...more] = token.split('.');
  if (body === undefined || mac === undefined || more.length > 0) return undefined;
  if (!isSameText(mac, macOf(secret, `${purpose}${body}`))) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Value;
}
