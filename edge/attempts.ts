// Guessing is slowed down, and nobody is locked out by it: a password is compared before anything else, so that right credentials always pass, and
// only the answers to wrong ones come late, later with each. Passwords have 96 bits and more; what is protected is the node's time.
import { addressGroup, addressSite } from '#platform/address-group.ts';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { type Failure, fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';

export interface Attempts {
  /**
   * To be called for credentials that are wrong, never for right ones or for those of before a reset. Throws `proxy_credentials_wrong`, or, for who
   * fails again and again, rejects with `too_many_attempts` and the seconds to wait: late, as long as there is room for those who wait.
   */
  refuse(address: string, username: string): Promise<never>;
}

interface Count {
  failures: number;
  /** Monotonic milliseconds. */
  last: number;
}

/** Spec is silent: wrong log-ins that are answered at once. IPv6 counts by /64, with a ceiling over the /48. */
const FREE = {
  /** Of one address group with one username: a tool with a mistyped list. */
  pair: 20,
  /** Of one address group with whatever usernames. */
  group: 200,
  site: 2_000,
} as const;
const FIRST_WAIT_MS = SECOND;
/** What is answered. */
const MAX_WAIT_MS = 5 * MINUTE;
/** What an answer is really held back: below the time for a handshake. */
const MAX_DELAY_MS = 5 * SECOND;
/** Without a further failure the count is forgotten after this. */
const FORGET_MS = 10 * MINUTE;
/** Counts of each kind; who failed longest ago is forgotten. */
const KEPT = 50_000;
/** Answers that are held back: what does not fit is answered at once. Fewer than the handshakes of one address, so that its good lines get in. */
const HELD_PER_GROUP = 256;
const HELD = 4_096;

/** `sleep` is replaced in tests that move the time. */
export function createAttempts(
  monotonic: () => number = () => performance.now(),
  sleep: (milliseconds: number) => Promise<void> = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds).unref()),
): Attempts {
  const pairs = new Lru<Count>(KEPT);
  const groups = new Lru<Count>(KEPT);
  const sites = new Lru<Count>(KEPT);
  /** Address group -> how many of its answers are held back. */
  const held = new Map<string, number>();
  let heldInAll = 0;

  /** Milliseconds that this failure has earned. */
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
