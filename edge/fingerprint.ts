// What a password is compared by, in constant time: its SHA-256.
import { hash } from 'node:crypto';
import { Lru } from '#platform/lru.ts';

/** Of passwords that were right lately: all connections of a plan come with the same one. Guesses put none of them out. */
const KEPT = 4_096;
const known = new Lru<Buffer>(KEPT);

export const fingerprintOf = (password: string): Buffer => known.peek(password) ?? hash('sha256', password, 'buffer');

/** The password was right: it need not be hashed again. */
export function keepFingerprint(password: string, fingerprint: Buffer): void {
  if (known.peek(password) === undefined) known.set(password, fingerprint);
}
