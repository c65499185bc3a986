// Slows down password guessing without locking anybody out: the password is checked first, so right credentials always pass, and only the answers
// to wrong ones are delayed, each time longer. Passwords have at least 96 random bits; the delay protects the node's CPU time.
import { addressGroup, addressSite } from '#platform/address-group.ts';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { type Failure, fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';

export interface Attempts {
  /**
   * Call it for wrong credentials, never for right ones or for a password from before a reset. Throws `proxy_credentials_wrong`, or, after too many
   * failures, rejects with `too_many_attempts` and the seconds to wait. That answer is delayed unless too many answers are being delayed already.
   */
  refuse(address: string, username: string): Promise<never>;
}

interface Count {
  failures: number;
  /** Monotonic milliseconds. */
  last: number;
}

/** Spec is silent: how many wrong log-ins are answered at once. IPv6 is counted by /64, and by /48 with a higher limit. */
const FREE = {
  /** Per address group and username: a tool with mistyped credentials. */
  pair: 20,
  /** Per address group, over all usernames. */
  group: 200,
  site: 2_000,
} as const;
const FIRST_WAIT_MS = SECOND;
/** The longest wait that an answer asks for. */
const MAX_WAIT_MS = 5 * MINUTE;
/** The longest real delay of an answer: shorter than the time for a handshake. */
const MAX_DELAY_MS = 5 * SECOND;
/** A count is dropped after this long without another failure. */
const FORGET_MS = 10 * MINUTE;
/** How many counts of each kind are kept; the oldest are dropped. */
const KEPT = 50_000;
/** How many answers are delayed at once; more are answered immediately. Below `handshakesPerAddress`, so that right log-ins still get in. */
const HELD_PER_GROUP = 256;
const HELD = 4_096;

/** Tests replace `sleep` to control the time. */
export function createAttempts(
  monotonic: () => number = () => performance.now(),
  sleep: (milliseconds: number) => Promise<void> = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds).unref()),
): Attempts {
  const pairs = new Lru<Count>(KEPT);
  const groups = new Lru<Count>(KEPT);
  const sites = new Lru<Count>(KEPT);
  /** Address group -> number of its answers that are being delayed. */
  const held = new Map<string, number>();
  let heldInAll = 0;

  /** Counts this failure and returns the milliseconds to wait. */
  function count(counts: Lru<Count>, key: string, free: number): number {
    const now = monotonic();
    const known = counts.get(key);
    const failures = known && now - known.last < FORGET_MS ? known.failures + 1 : 1;
    counts.set(key, { failures, last: now });
    return failures > free ? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - free - 1)) : 0;
  }

  async function hold(group: string, milliseconds: number, failure: Failure): Promise<never> {
    const before = held.get(group) ?? 0;
    if (before < HELD_PER_GROUP && heldInAll < HELD) {
      held.set(group, before + 1);
      heldInAll++;
      await sleep(milliseconds);
      heldInAll--;
      const left = (held.get(group) ?? 1) - 1;
      if (left > 0) held.set(group, left);
      else held.delete(group);
    }
    throw failure;
  }

  return {
    refuse(address, username) {
      const group = addressGroup(address);
      const site = addressSite(address);
      const wait = Math.max(
        count(pairs, `${group}|${username}`, FREE.pair),
        count(groups, group, FREE.group),
        site === group ? 0 : count(sites, site, FREE.site),
      );
      if (wait === 0) throw fail('proxy_credentials_wrong');
      return hold(group, Math.min(wait, MAX_DELAY_MS), fail('too_many_attempts', { retry_after_seconds: Math.ceil(wait / SECOND) }));
    },
  };
}
