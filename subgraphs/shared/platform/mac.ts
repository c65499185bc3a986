// Texts that only the platform can have made, and their comparison in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 as base64url. What is signed for one purpose begins with it, or has a secret of its own. */
export const macOf = (secret: string | Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/** Whether two texts are the same; how much of them is the same takes no time that tells. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
