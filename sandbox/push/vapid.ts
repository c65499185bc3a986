// Who sends a push message: the token of RFC 8292 in `Authorization: vapid t=..., k=...`.
import { createPublicKey, verify } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';

/** What is wrong with a token; undefined: nothing. `key`: the public key of the sender. */
export type VapidCheck = { wrong: string; key?: string } | { wrong?: undefined; key: string };

const DAY_SECONDS = 86_400;

/**
 * `origin`: of the push service, the only audience. Time is the system's: the token is for a server elsewhere, whose clock no test moves, and the library that
 * makes it reads that one.
 */
export function checkVapid(header: string | undefined, origin: string): VapidCheck {
  if (header === undefined) return { wrong: 'Missing VAPID Authorization' };
  const [, token = ''] = /^vapid\s.*\bt=([\w.-]+)/i.exec(header) ?? [];
  const [, key = ''] = /^vapid\s.*\bk=([\w-]+)/i.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const publicKey = readKey(key);
  if (!publicKey || signature === '') return { wrong: 'Invalid VAPID header' };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned || read(head)['alg'] !== 'ES256') return { wrong: 'Invalid signature', key };
  const { aud, exp, sub } = read(claims);
  const now = systemClock.now().getTime() / 1_000;
  if (typeof exp !== 'number' || exp <= now) return { wrong: 'Expired token', key };
  if (exp > now + DAY_SECONDS) return { wrong: 'Expiration too far in the future', key };
  if (aud !== origin) return { wrong: 'Invalid audience', key };
  // RFC 8292 asks for it as SHOULD; Apple refuses tokens without one (BadJwtToken).
  if (typeof sub !== 'string' || !/^(mailto:.+@.+|https:\/\/)/.test(sub)) return { wrong: 'Invalid subject', key };
  return { key };
}

function read(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function readKey(text: string) {
  const point = Buffer.from(text, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return undefined;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' } as never);
  } catch {
    return undefined;
  }
}
