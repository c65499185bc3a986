// Guessing is slowed down: an address that fails again and again waits, longer each time; a username that is guessed from many addresses is closed
// to addresses that never got in. Passwords have 96 bits and more, so this protects the node's time rather than the passwords.
import { MINUTE, SECOND } from '#shared/clock.ts';
import { fail } from '#shared/errors.ts';
import { Lru } from '#shared/lru.ts';

export interface Attempts {
  /** Throws `too_many_attempts` with the seconds to wait. */
  check(address: string, username: string): void;
  failed(address: string, username: string): void;
  succeeded(address: string, username: string): void;
}

interface Count {
  failures: number;
  /** Monotonic milliseconds. */
  last: number;
  until: number;
}

/** Spec is silent: a tool with a stale list may fail this often before it waits. */
const FREE_PER_ADDRESS = 20;
const FREE_PER_USERNAME = 200;
const FIRST_WAIT_MS = SECOND;
const LONGEST_WAIT_MS = 5 * MINUTE;
/** Without a further failure the count is forgotten after this. */
const FORGET_MS = 10 * MINUTE;
const KEPT = 50_000;

export function createAttempts(monotonic: () => number = () => performance.now()): Attempts {
  const byAddress = new Lru<Count>(KEPT);
  const byUsername = new Lru<Count>(KEPT);
  const welcome = new Lru<true>(KEPT);

  const count = (counts: Lru<Count>, key: string, free: number) => {
    const now = monotonic();
    const known = counts.get(key);
    const failures = known && now - known.last < FORGET_MS ? known.failures + 1 : 1;
    const wait = failures > free ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - free - 1)) : 0;
    counts.set(key, { failures, last: now, until: now + wait });
  };
  const waitOf = (counts: Lru<Count>, key: string): number => {
    const known = counts.get(key);
    return known ? known.until - monotonic() : 0;
  };
  const pair = (address: string, username: string) => `${address}|${username}`;

  return {
    check(address, username) {
      const guessed = waitOf(byUsername, username);
      const wait = Math.max(waitOf(byAddress, address), guessed > 0 && !welcome.get(pair(address, username)) ? guessed : 0);
      if (wait > 0) throw fail('too_many_attempts', { retry_after_seconds: Math.ceil(wait / SECOND) });
    },
    failed(address, username) {
      count(byAddress, address, FREE_PER_ADDRESS);
      count(byUsername, username, FREE_PER_USERNAME);
    },
    succeeded(address, username) {
      const known = pair(address, username);
      if (!welcome.get(known)) welcome.set(known, true);
    },
  };
}
