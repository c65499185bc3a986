// The addresses that traffic leaves from, and which of them a line gets: rotating lines a fresh one each time, sticky lines the same one for the session's lifetime.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { EUROPEAN_COUNTRIES } from './protocol/pools.ts';
import type { ProductCode } from './protocol/product.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { SessionClaim, ClaimedSession } from './protocol/control-plane.ts';
import type { SessionClaims } from './session-claims.ts';
import type { SessionStore } from './session-store.ts';

export interface ExitPlace {
  id: string;
  products: readonly ProductCode[];
  /** Lower-case ISO 3166. */
  country: string;
  /** As usernames carry them. */
  state?: string | undefined;
  city?: string | undefined;
  carrier?: string | undefined;
  /** Share of rotating traffic; default 1. */
  weight?: number | undefined;
  /** Connections at once; default no limit. */
  capacity?: number | undefined;
}

export type ExitDefinition = ExitPlace &
  (
    | { kind: 'local'; address: string }
    /** A parent proxy; it is given the address that was judged, never the name. */
    | { kind: 'http' | 'socks5'; host: string; port: number; username?: string | undefined; password?: string | undefined }
  );

export interface Exit {
  readonly definition: ExitDefinition;
  /** Of its id: its place in the choice for sessions. */
  readonly hash: number;
  healthy: boolean;
  connections: number;
  /** In a row, by its own fault. */
  failures: number;
  /** Since the start: connections opened, and not opened by its own fault. */
  opened: number;
  faults: number;
}

/** Whether an exit can reach an address of this family at all. */
export const reaches = ({ definition }: Exit, address: string): boolean =>
  definition.kind !== 'local' || isIP(definition.address) === isIP(address);

export interface ExitPools {
  readonly all: readonly Exit[];
  /**
   * The exit for one connection. Throws `exit_unavailable`, or `exit_gone` for a session whose exit is lost.
   * `except`: exits that failed for this connection already. A promise only where a session begins.
   */
  pick(planId: string, product: ProductCode, target: LineTarget, except?: ReadonlySet<Exit>): Exit | Promise<Exit>;
  /** Sessions alive: for metrics. */
  sessions(): number;
  /** Forgets what is over. */
  sweep(): void;
}

interface Pool {
  exits: readonly Exit[];
  /** Each exit as often as its weight says, shuffled: dealt to the end, then shuffled again, so that the spread is even. */
  deck: Exit[];
  next: number;
}

interface Session {
  /** Undefined: an exit of another node, that this one does not have. */
  exit: Exit | undefined;
  /** Monotonic milliseconds. */
  until: number;
}

const EUROPE = new Set(EUROPEAN_COUNTRIES);
/** A plan's last exit per pool, to deal it another one; forgotten beyond this many. */
const LAST_EXITS = 50_000;

const isIn = ({ definition: { country, state, city, products } }: Exit, product: ProductCode, target: LineTarget): boolean =>
  products.includes(product) &&
  (target.country === 'any' || (target.country === 'eu' ? EUROPE.has(country) : country === target.country)) &&
  (target.state === undefined || target.state === state) &&
  (target.city === undefined || target.city === city);

const placeKey = (product: ProductCode, { country, state, city }: LineTarget): string =>
  `${product}/${country}/${state ?? ''}/${city ?? ''}`;

const isOpen = ({ healthy, connections, definition: { capacity } }: Exit): boolean =>
  healthy && (capacity === undefined || connections < capacity);

/** A 32-bit finalizer (MurmurHash3): every bit of the input reaches every bit of the result. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hashOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(0);

/** Rendezvous hashing: every node and every restart finds the same exit for a session, and the loss of one exit moves only its own sessions. */
function chosenFor(session: string, exits: readonly Exit[]): Exit | undefined {
  const seed = hashOf(session);
  let best: Exit | undefined;
  let highest = -Infinity;
  for (const exit of exits) {
    const score = (exit.definition.weight ?? 1) / -Math.log((mixed(seed ^ exit.hash) + 1) / (2 ** 32 + 1));
    if (score > highest) [best, highest] = [exit, score];
  }
  return best;
}

/** `store` has the sessions of an earlier run and is told of new ones; `claims` makes them known to other nodes. */
export function createExitPools(
  definitions: readonly ExitDefinition[],
  monotonic: () => number = () => performance.now(),
  store?: SessionStore,
  claims?: SessionClaims,
): ExitPools {
  const all: Exit[] = definitions.map((definition) => ({
    definition,
    hash: hashOf(definition.id),
    healthy: true,
    connections: 0,
    failures: 0,
    opened: 0,
    faults: 0,
  }));
  const byId = new Map(all.map((exit) => [exit.definition.id, exit]));
  const pools = new Map<string, Pool>();
  const lastExits = new Map<string, Exit>();
  const sessions = new Map<string, Session>();
  /** How often a session's name was used up, so that its next life begins at another exit. */
  const lives = new Map<string, number>();
  for (const [key, { exitId, leftMs, life }] of store?.kept ?? []) {
    const exit = byId.get(exitId);
    if (!exit) continue;
    sessions.set(key, { exit, until: monotonic() + leftMs });
    lives.set(key, life);
  }

  function poolOf(product: ProductCode, target: LineTarget): Pool {
    const key = placeKey(product, target);
    let pool = pools.get(key);
    if (!pool) {
      const exits = all.filter((exit) => isIn(exit, product, target));
      pool = {
        exits,
        deck: exits.flatMap((exit) => Array.from({ length: Math.max(1, Math.round(exit.definition.weight ?? 1)) }, () => exit)),
        next: Infinity,
      };
      // Targets come from callers: only those that exist are kept.
      if (exits.length > 0) pools.set(key, pool);
    }
    return pool;
  }

  /** The next usable exit of the deck; one that is not usable now is put back for later, so that it does not lose its turn. */
  function deal(pool: Pool, usable: (exit: Exit) => boolean): Exit | undefined {
    for (let round = 0; round < 2; round++) {
      for (let index = pool.next; index < pool.deck.length; index++) {
        const exit = pool.deck[index] as Exit;
        if (!usable(exit)) continue;
        pool.deck[index] = pool.deck[pool.next] as Exit;
        pool.deck[pool.next++] = exit;
        return exit;
      }
      shuffle(pool.deck);
      pool.next = 0;
    }
    return undefined;
  }

  function rotate(planId: string, product: ProductCode, target: LineTarget, except: ReadonlySet<Exit> | undefined): Exit {
    const pool = poolOf(product, target);
    const key = `${planId}/${placeKey(product, target)}`;
    const last = lastExits.get(key);
    const usable = (exit: Exit) => isOpen(exit) && !except?.has(exit);
    const exit = deal(pool, (candidate) => candidate !== last && usable(candidate)) ?? (last && usable(last) ? last : undefined);
    if (!exit) throw fail('exit_unavailable');
    lastExits.delete(key);
    lastExits.set(key, exit);
    if (lastExits.size > LAST_EXITS) lastExits.delete(lastExits.keys().next().value as string);
    return exit;
  }

  /** Sessions that begin at this moment: their other connections wait for the same answer. */
  const beginning = new Map<string, Promise<Exit>>();

  function stick(planId: string, product: ProductCode, target: LineTarget, except: ReadonlySet<Exit> | undefined): Exit | Promise<Exit> {
    const key = `${planId}/${placeKey(product, target)}/${target.session}`;
    const now = monotonic();
    const session = sessions.get(key);
    const alive = session && session.until > now ? session : undefined;
    if (alive) {
      if (alive.exit?.healthy && !except?.has(alive.exit)) {
        if (!isOpen(alive.exit)) throw fail('exit_unavailable');
        return alive.exit;
      }
      if (!target.switchesWhenLost) throw fail('exit_gone');
    }
    const begun = beginning.get(key);
    if (begun) return begun;
    const life = (lives.get(key) ?? -1) + 1;
    const exit = chosenFor(
      `${key}#${life}`,
      poolOf(product, target).exits.filter((candidate) => isOpen(candidate) && !except?.has(candidate)),
    );
    if (!exit) throw fail('exit_unavailable');
    // A session that switched keeps the end it had.
    const lifetimeMs = alive ? alive.until - now : (target.lifetime ?? 0) * MINUTE;
    if (!claims) return keep(key, exit, { exitId: exit.definition.id, life, leftMs: lifetimeMs });
    const beginningNow = begin({ key, exitId: exit.definition.id, life, lifetimeMs, lost: alive?.exit?.definition.id }, exit);
    beginning.set(key, beginningNow);
    return beginningNow.finally(() => beginning.delete(key));
  }

  async function begin(claim: SessionClaim, wished: Exit): Promise<Exit> {
    const claimed = await claims?.claim(claim);
    const exit = claimed ? byId.get(claimed.exitId) : wished;
    keep(claim.key, exit, claimed ?? { ...claim, leftMs: claim.lifetimeMs });
    if (!exit?.healthy) throw fail('exit_gone');
    return exit;
  }

  function keep<Kept extends Exit | undefined>(key: string, exit: Kept, session: ClaimedSession): Kept {
    lives.set(key, session.life);
    sessions.set(key, { exit, until: monotonic() + session.leftMs });
    store?.remember(key, session);
    return exit;
  }

  return {
    all,
    pick: (planId, product, target, except) => (target.session === undefined ? rotate : stick)(planId, product, target, except),
    sessions: () => sessions.size,
    sweep() {
      const now = monotonic();
      for (const [key, { until }] of sessions) if (until <= now) sessions.delete(key);
      // A session number that nobody used for its lifetime starts again from its first exit.
      for (const key of lives.keys()) if (!sessions.has(key)) lives.delete(key);
    },
  };
}

function shuffle(deck: Exit[]): void {
  for (let index = deck.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [deck[index], deck[other]] = [deck[other] as Exit, deck[index] as Exit];
  }
}
