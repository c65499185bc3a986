// Compares passwords by their SHA-256, in constant time.
import { hash, timingSafeEqual } from 'node:crypto';
import { Lru } from '#platform/lru.ts';

/** How many hashes of right passwords are cached: all connections of a plan use the same one. Wrong guesses evict none of them. */
const KEPT = 4_096;
const lately = new Lru<Buffer>(KEPT);

const fingerprintOf = (password: string): Buffer => lately.peek(password) ?? hash('sha256', password, 'buffer');

/** Caches the hash of a right password. */
function cacheFingerprint(password: string, fingerprint: Buffer): void {
  if (lately.peek(password) === undefined) lately.set(password, fingerprint);
}

/** The password of a plan, and those from before resets. */
interface Known {
  fingerprint: Buffer;
  oldFingerprints?: readonly Buffer[] | undefined;
}

/** Compares with the plan's own password and those from before resets. It compares also when there is no plan, so that the time reveals nothing. */
export function judgePassword(password: string, known: Known | undefined): 'right' | 'old' | 'wrong' {
  const given = fingerprintOf(password);
  if (timingSafeEqual(given, known?.fingerprint ?? NOBODY) && known) {
    cacheFingerprint(password, given);
    return 'right';
  }
  return known?.oldFingerprints?.some((old) => timingSafeEqual(given, old)) ? 'old' : 'wrong';
}

const NOBODY = Buffer.alloc(32);
