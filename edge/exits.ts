// The addresses that traffic leaves from, and which of them a line gets: rotating lines a fresh one each time, sticky lines the same one for the
// session's lifetime.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { EUROPEAN_COUNTRIES } from './protocol/pools.ts';
import type { ProductCode } from './protocol/product.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { ExitName } from './protocol/origin.ts';
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
    | {
        kind: 'http' | 'socks5';
        host: string;
        port: number;
        username?: string | undefined;
        password?: string | undefined;
        /** The address that targets see, where the operator knows it. */
        outwardAddress?: string | undefined;
      }
  );

export interface Exit {
  readonly definition: ExitDefinition;
  /** As the ledger names it. */
  readonly name: ExitName;
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

/** In one spelling, so that it is found by it. */
function nameOf(definition: ExitDefinition): ExitName {
  const address = definition.kind === 'local' ? definition.address : definition.outwardAddress;
  return address === undefined ? { id: definition.id } : { id: definition.id, address: ipaddr.process(address).toString() };
}

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

class NodeExits implements ExitPools {
  readonly all: readonly Exit[];
  readonly #byId: ReadonlyMap<string, Exit>;
  readonly #pools = new Map<string, Pool>();
  readonly #lastExits = new Map<string, Exit>();
  readonly #sessions = new Map<string, Session>();
  /** How often a session's name was used up, so that its next life begins at another exit. */
  readonly #lives = new Map<string, number>();
  /** Sessions that begin at this moment: their other connections wait for the same answer. */
  readonly #beginning = new Map<string, Promise<Exit>>();
  readonly #monotonic: () => number;
  readonly #store: SessionStore | undefined;
  readonly #claims: SessionClaims | undefined;

  constructor(
    definitions: readonly ExitDefinition[],
    monotonic: () => number,
    store: SessionStore | undefined,
    claims: SessionClaims | undefined,
  ) {
    this.all = definitions.map((definition) => ({
      definition,
      name: nameOf(definition),
      hash: hashOf(definition.id),
      healthy: true,
      connections: 0,
      failures: 0,
      opened: 0,
      faults: 0,
    }));
    this.#byId = new Map(this.all.map((exit) => [exit.definition.id, exit]));
    this.#monotonic = monotonic;
    this.#store = store;
    this.#claims = claims;
    for (const [key, { exitId, leftMs, life }] of store?.sessions ?? []) {
      const exit = this.#byId.get(exitId);
      if (!exit) continue;
      this.#sessions.set(key, { exit, until: monotonic() + leftMs });
      this.#lives.set(key, life);
    }
  }

  pick(planId: string, product: ProductCode, target: LineTarget, except?: ReadonlySet<Exit>): Exit | Promise<Exit> {
    return target.session === undefined ? this.#rotate(planId, product, target, except) : this.#stick(planId, product, target, except);
  }

  sessions(): number {
    return this.#sessions.size;
  }

  sweep(): void {
    const now = this.#monotonic();
    for (const [key, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(key);
    // A session number that nobody used for its lifetime starts again from its first exit.
    for (const key of this.#lives.keys()) if (!this.#sessions.has(key)) this.#lives.delete(key);
  }

  #poolOf(product: ProductCode, target: LineTarget): Pool {
    const key = placeKey(product, target);
    let pool = this.#pools.get(key);
    if (!pool) {
      const exits = this.all.filter((exit) => isIn(exit, product, target));
      pool = {
        exits,
        deck: exits.flatMap((exit) => Array.from({ length: Math.max(1, Math.round(exit.definition.weight ?? 1)) }, () => exit)),
        next: Infinity,
      };
      // Targets come from callers: only those that exist are remembered.
      if (exits.length > 0) this.#pools.set(key, pool);
    }
    return pool;
  }

  /** The next usable exit of the deck; one that is not usable now is put back for later, so that it does not lose its turn. */
  #deal(pool: Pool, usable: (exit: Exit) => boolean): Exit | undefined {
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

  #rotate(planId: string, product: ProductCode, target: LineTarget, except: ReadonlySet<Exit> | undefined): Exit {
    const pool = this.#poolOf(product, target);
    const key = `${planId}/${placeKey(product, target)}`;
    const last = this.#lastExits.get(key);
    const usable = (exit: Exit) => isOpen(exit) && !except?.has(exit);
    const exit = this.#deal(pool, (candidate) => candidate !== last && usable(candidate)) ?? (last && usable(last) ? last : undefined);
    if (!exit) throw fail('exit_unavailable');
    this.#lastExits.delete(key);
    this.#lastExits.set(key, exit);
    if (this.#lastExits.size > LAST_EXITS) this.#lastExits.delete(this.#lastExits.keys().next().value as string);
    return exit;
  }

  #stick(planId: string, product: ProductCode, target: LineTarget, except: ReadonlySet<Exit> | undefined): Exit | Promise<Exit> {
    const key = `${planId}/${placeKey(product, target)}/${target.session}`;
    const now = this.#monotonic();
    const session = this.#sessions.get(key);
    const alive = session && session.until > now ? session : undefined;
    if (alive) {
      if (alive.exit?.healthy && !except?.has(alive.exit)) {
        if (!isOpen(alive.exit)) throw fail('exit_unavailable');
        return alive.exit;
      }
      if (!target.switchesWhenLost) throw fail('exit_gone');
    }
    const begun = this.#beginning.get(key);
    if (begun) return begun;
    const life = (this.#lives.get(key) ?? -1) + 1;
    const exit = chosenFor(
      `${key}#${life}`,
      this.#poolOf(product, target).exits.filter((candidate) => isOpen(candidate) && !except?.has(candidate)),
    );
    if (!exit) throw fail('exit_unavailable');
    // A session that switched keeps the end it had.
    const lifetimeMs = alive ? alive.until - now : (target.lifetime ?? 0) * MINUTE;
    if (!this.#claims) return this.#remember(key, exit, { exitId: exit.definition.id, life, leftMs: lifetimeMs });
    const beginningNow = this.#begin({ key, exitId: exit.definition.id, life, lifetimeMs, lost: alive?.exit?.definition.id }, exit);
    this.#beginning.set(key, beginningNow);
    return beginningNow.finally(() => this.#beginning.delete(key));
  }

  async #begin(claim: SessionClaim, wished: Exit): Promise<Exit> {
    const claimed = await this.#claims?.claim(claim);
    const exit = claimed ? this.#byId.get(claimed.exitId) : wished;
    this.#remember(claim.key, exit, claimed ?? { ...claim, leftMs: claim.lifetimeMs });
    if (!exit?.healthy) throw fail('exit_gone');
    return exit;
  }

  #remember<Known extends Exit | undefined>(key: string, exit: Known, session: ClaimedSession): Known {
    this.#lives.set(key, session.life);
    this.#sessions.set(key, { exit, until: this.#monotonic() + session.leftMs });
    this.#store?.remember(key, session);
    return exit;
  }
}

/** `store` has the sessions of an earlier run and stores new ones; `claims` makes them known to other nodes. */
export const createExitPools = (
  definitions: readonly ExitDefinition[],
  monotonic: () => number = () => performance.now(),
  store?: SessionStore,
  claims?: SessionClaims,
): ExitPools => new NodeExits(definitions, monotonic, store, claims);

function shuffle(deck: Exit[]): void {
  for (let index = deck.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [deck[index], deck[other]] = [deck[other] as Exit, deck[index] as Exit];
  }
}
