// What a password is compared by, in constant time: its SHA-256.
import { hash, timingSafeEqual } from 'node:crypto';
import { Lru } from '#platform/lru.ts';

/** Of passwords that were right lately: all connections of a plan come with the same one. Guesses put none of them out. */
const KEPT = 4_096;
const lately = new Lru<Buffer>(KEPT);

const fingerprintOf = (password: string): Buffer => lately.peek(password) ?? hash('sha256', password, 'buffer');

/** The password was right: it need not be hashed again. */
function cacheFingerprint(password: string, fingerprint: Buffer): void {
  if (lately.peek(password) === undefined) lately.set(password, fingerprint);
}

/** The password of a plan, and those from before resets. */
interface Known {
  fingerprint: Buffer;
  oldFingerprints?: readonly Buffer[] | undefined;
}

/**
 * Whose password this is: the plan's own, one from before a reset, or nobody's. It is compared also where there is no plan: the time tells nothing.
 */
export function judgePassword(password: string, known: Known | undefined): 'right' | 'old' | 'wrong' {
  const given = fingerprintOf(password);
  if (timingSafeEqual(given, known?.fingerprint ?? NOBODY) && known) {
    cacheFingerprint(password, given);
    return 'right';
  }
  return known?.oldFingerprints?.some((old) => timingSafeEqual(given, old)) ? 'old' : 'wrong';
}

const NOBODY = Buffer.alloc(32);
