// The form of an API key: a prefix that people and secret scanners recognise, 256 random bits in base 62, and a checksum that tells a mistyped key from an
// unknown one.
import { crc32 } from 'node:zlib';
import { randomBase62 } from '#platform/secrets.ts';

export type KeyEnvironment = 'live' | 'test';
/** A PARTNER key has scopes of its own and may be limited to client addresses. */
export const API_KEY_KINDS = ['STANDARD', 'PARTNER'] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];
export const API_KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

const FORM = /^(egress_(?:live|test)_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let index = 0; index < 6; index++) {
    digits = BASE62.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

/** A new key; `test` where the sandbox stands in for the outside world. */
export function makeApiKey(environment: KeyEnvironment): { key: string; prefix: string; lastFour: string } {
  const prefix = `egress_${environment}_`;
  const body = `${prefix}${randomBase62(43)}`;
  const key = body + checksum(body);
  return { key, prefix, lastFour: key.slice(-4) };
}

/** Whether a string has the form and checksum of a key; one that fails was cut or mistyped and need not be looked up. */
export function isApiKey(value: string): boolean {
  const parts = FORM.exec(value);
  return parts !== null && checksum(`${parts[1]}${parts[2]}`) === parts[3];
}

export const maskApiKey = ({ prefix, lastFour }: { prefix: string; lastFour: string }): string => `${prefix}...${lastFour}`;

export function statusOfKey(key: { expiresAt?: Date | null; revokedAt?: Date | null }, at: Date): ApiKeyStatus {
  if (key.revokedAt) return 'REVOKED';
  return key.expiresAt && key.expiresAt <= at ? 'EXPIRED' : 'ACTIVE';
}

/** Converts a span such as "30d" or "12h" to milliseconds; undefined for anything else. */
export function toSpan(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([dh])$/.exec(text);
  return match ? Number(match[1]) * (match[2] === 'd' ? 86_400_000 : 3_600_000) : undefined;
}
