// The addresses that traffic leaves from, and which of them a line gets: rotating lines a fresh one each time, sticky lines the same one for the
// session's lifetime.
import { MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';
import { type Exit, type ExitDefinition, createExit, keepsSession, nameOf, placeOf, reaches, serves, takesNames } from './exit.ts';
import { Dealer, StickyTable } from './exit-choice.ts';
import { type ExitLine, sessionToken } from './exit-line.ts';
import type { ProductCode } from './protocol/product.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { SessionClaim, ClaimedSession } from './protocol/control-plane.ts';
import type { SessionClaims } from './session-claims.ts';
import type { SessionStore } from './session-store.ts';
import { noExitIn, respelled } from './unknown-place.ts';

/** What of a connection the choice depends on, beside the line. */
export interface PickHints {
  /** Exits that failed for this connection already. */
  except?: ReadonlySet<Exit> | undefined;
  /** Addresses of the target; an exit must reach one of them. Undefined: an exit must take names. Absent with `host`: any exit will do. */
  addresses?: readonly string[] | undefined;
  /** The target. */
  host?: string | undefined;
}

export interface ExitPools {
  readonly all: readonly Exit[];
  /**
   * The exit for one connection. Throws `exit_unavailable`, `target_family_unreachable`, or `exit_gone` for a session whose exit is lost. A promise
   * only where a session begins.
   */
  pick(planId: string, product: ProductCode, target: LineTarget, hints?: PickHints): Exit | Promise<Exit>;
  /** What an exit of many addresses is told of the line, once it is picked. */
  lineAt(exit: Exit, planId: string, product: ProductCode, target: LineTarget): ExitLine;
  /**
   * Whether every exit that lines of this place may leave by takes names: then nobody here need ask for the target's addresses. Throws
   * `exit_unavailable` where there is none at all, `proxy_username_invalid` with near matches where nobody knows the place.
   */
  takeNames(product: ProductCode, target: LineTarget): boolean;
  /** The exit's owner lets nobody to this target: others are asked first for a while. */
  avoid(exit: Exit, host: string): void;
  /** The operator's exits are these now. Those that go on keep their health and their sessions. */
  replace(definitions: readonly ExitDefinition[]): void;
  /** Sessions alive: for metrics. */
  sessions(): number;
  /** Forgets what is over. */
  sweep(): void;
}

/** Exits of one product and place. */
class Pool {
  readonly exits: readonly Exit[];
  readonly takeNames: boolean;
  #dealer: Dealer | undefined;
  #table: StickyTable | undefined;

  constructor(exits: readonly Exit[]) {
    this.exits = exits;
    this.takeNames = exits.length > 0 && exits.every(takesNames);
  }

  get dealer(): Dealer {
    return (this.#dealer ??= new Dealer(this.exits));
  }

  get table(): StickyTable {
    return (this.#table ??= new StickyTable(this.exits));
  }
}

interface Session {
  /** Undefined: an exit of another node, that this one does not have. */
  exit: Exit | undefined;
  exitId: string;
  /** Monotonic milliseconds. */
  until: number;
  /** How often its name was used up, so that its next life begins at another exit. */
  life: number;
}

const EMPTY = new Pool([]);
/** Targets that an exit's owner forbids are asked of others first for so long. */
const AVOID_MS = 5 * MINUTE;
const AVOIDED = 20_000;

class NodeExits implements ExitPools {
  all: readonly Exit[] = [];
  #byId: ReadonlyMap<string, Exit> = new Map();
  readonly #pools = new Map<string, Pool>();
  readonly #sessions = new Map<string, Session>();
  /** Sessions that begin at this moment: their other connections wait for the same answer. */
  readonly #beginning = new Map<string, Promise<Exit>>();
  /** Exit and target -> monotonic milliseconds. */
  readonly #avoided = new Lru<number>(AVOIDED);
  readonly #monotonic: () => number;
  readonly #store: SessionStore | undefined;
  readonly #claims: SessionClaims | undefined;

  constructor(
    definitions: readonly ExitDefinition[],
    monotonic: () => number,
    store: SessionStore | undefined,
    claims: SessionClaims | undefined,
  ) {
    this.#monotonic = monotonic;
    this.#store = store;
    this.#claims = claims;
    this.replace(definitions);
    for (const [key, { exitId, leftMs, life }] of store?.sessions ?? []) {
      const exit = this.#byId.get(exitId);
      if (!exit) continue;
      this.#sessions.set(key, { exit, exitId, until: monotonic() + leftMs, life });
    }
  }

  replace(definitions: readonly ExitDefinition[]): void {
    const before = this.#byId;
    this.all = definitions.map((definition) => {
      const known = before.get(definition.id);
      if (!known) return createExit(definition);
      // Another log-in or address is a new beginning for what was refused.
      if (JSON.stringify(known.definition) !== JSON.stringify(definition))
        Object.assign(known, { definition, name: nameOf(definition), healthy: true, onTrial: true, trouble: undefined, busyUntil: 0 });
      return known;
    });
    this.#byId = new Map(this.all.map((exit) => [exit.definition.id, exit]));
    this.#pools.clear();
    // Those of an exit that was taken away and comes back go on.
    for (const session of this.#sessions.values()) session.exit = this.#byId.get(session.exitId);
  }

  pick(planId: string, product: ProductCode, target: LineTarget, hints: PickHints = {}): Exit | Promise<Exit> {
    return target.session === undefined ? this.#rotate(planId, product, target, hints) : this.#stick(planId, product, target, hints);
  }

  lineAt(exit: Exit, planId: string, product: ProductCode, target: LineTarget): ExitLine {
    if (target.session === undefined) return { target };
    const key = sessionKey(planId, product, target);
    return { target, session: sessionToken(exit, key, this.#sessions.get(key)?.life ?? 0) };
  }

  takeNames(product: ProductCode, target: LineTarget): boolean {
    const { exits, takeNames } = this.#poolOf(product, target);
    if (exits.length === 0) throw noExitIn(target, this.all);
    return takeNames;
  }

  avoid(exit: Exit, host: string): void {
    this.#avoided.set(`${exit.definition.id} ${host}`, this.#monotonic() + AVOID_MS);
  }

  sessions(): number {
    return this.#sessions.size;
  }

  sweep(): void {
    const now = this.#monotonic();
    // A session number that nobody used for its lifetime starts again from its first exit.
    for (const [key, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(key);
  }

  #poolOf(product: ProductCode, target: LineTarget, place = placeOf(target)): Pool {
    const key = `${product}/${place}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      const exits = this.#serving(product, target) ?? this.#serving(product, respelled(target)) ?? [];
      // Targets come from callers: only those that exist are remembered.
      if (exits.length === 0) return EMPTY;
      pool = new Pool(exits);
      this.#pools.set(key, pool);
      if (this.#pools.size > MAX_POOLS) this.#pools.delete(this.#pools.keys().next().value as string);
    }
    return pool;
  }

  #serving(product: ProductCode, target: LineTarget | undefined): Exit[] | undefined {
    const exits = target ? this.all.filter(({ definition }) => serves(definition, product, target)) : [];
    return exits.length > 0 ? exits : undefined;
  }

  #isOpen({ healthy, connections, busyUntil, places, definition }: Exit, place: string): boolean {
    if (!healthy || (definition.capacity !== undefined && connections >= definition.capacity)) return false;
    if (busyUntil === 0 && places.size === 0) return true;
    const now = this.#monotonic();
    return busyUntil <= now && (places.get(place)?.outUntil ?? 0) <= now;
  }

  #isAvoided({ definition }: Exit, host: string): boolean {
    return (this.#avoided.peek(`${definition.id} ${host}`) ?? 0) > this.#monotonic();
  }

  /** The choice by `choose` among what may be used now; what the target's owner is forbidden by only where nothing else is left. */
  #choose(
    pool: Pool,
    place: string,
    target: LineTarget,
    hints: PickHints,
    choose: (usable: (exit: Exit) => boolean) => Exit | undefined,
  ): Exit {
    const { except, addresses, host } = hints;
    const usable = (exit: Exit) =>
      this.#isOpen(exit, place) &&
      !except?.has(exit) &&
      (host === undefined || leadsTo(exit, addresses)) &&
      keepsSession(exit.definition, target);
    const exit =
      host === undefined || this.#avoided.size === 0
        ? choose(usable)
        : (choose((candidate) => usable(candidate) && !this.#isAvoided(candidate, host)) ?? choose(usable));
    if (exit) return exit;
    if (pool.exits.length > 0 && host !== undefined && !pool.exits.some((candidate) => leadsTo(candidate, addresses)))
      throw fail('target_family_unreachable');
    throw fail('exit_unavailable');
  }

  #rotate(planId: string, product: ProductCode, target: LineTarget, hints: PickHints): Exit {
    const place = placeOf(target);
    const pool = this.#poolOf(product, target, place);
    return this.#choose(pool, place, target, hints, (usable) => pool.dealer.deal(planId, usable));
  }

  #stick(planId: string, product: ProductCode, target: LineTarget, hints: PickHints): Exit | Promise<Exit> {
    const place = placeOf(target);
    const key = sessionKey(planId, product, target, place);
    const now = this.#monotonic();
    const session = this.#sessions.get(key);
    const alive = session && session.until > now ? session : undefined;
    if (alive) {
      if (alive.exit?.healthy && !hints.except?.has(alive.exit)) {
        if (!this.#isOpen(alive.exit, place)) throw fail('exit_unavailable');
        if (hints.host !== undefined && !leadsTo(alive.exit, hints.addresses)) throw fail('target_family_unreachable');
        return alive.exit;
      }
      if (!target.switchesWhenLost) throw fail('exit_gone');
    }
    const begun = this.#beginning.get(key);
    if (begun) return begun;
    const life = (session?.life ?? -1) + 1;
    const pool = this.#poolOf(product, target, place);
    const exit = this.#choose(pool, place, target, hints, (usable) => pool.table.choose(`${key}#${life}`, usable));
    // A session that switched keeps the end it had.
    const lifetimeMs = alive ? alive.until - now : (target.lifetime ?? 0) * MINUTE;
    if (!this.#claims) return this.#remember(key, exit, { exitId: exit.definition.id, life, leftMs: lifetimeMs });
    const beginningNow = this.#begin({ key, exitId: exit.definition.id, life, lifetimeMs, lost: alive?.exitId }, exit);
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
    this.#sessions.set(key, { exit, exitId: session.exitId, until: this.#monotonic() + session.leftMs, life: session.life });
    this.#store?.remember(key, session);
    return exit;
  }
}

/** Pools that are kept; a pool is made again in a moment. */
const MAX_POOLS = 2_000;

const sessionKey = (planId: string, product: ProductCode, target: LineTarget, place = placeOf(target)): string =>
  `${planId}/${product}/${place}/${target.session}`;

/** Whether the exit can be asked for the target at all: by name, or by one of its addresses. */
const leadsTo = (exit: Exit, addresses: readonly string[] | undefined): boolean =>
  takesNames(exit) || addresses?.some((address) => reaches(exit, address)) === true;

/** `store` has the sessions of an earlier run and stores new ones; `claims` makes them known to other nodes. */
export const createExitPools = (
  definitions: readonly ExitDefinition[],
  monotonic: () => number = () => performance.now(),
  store?: SessionStore,
  claims?: SessionClaims,
): ExitPools => new NodeExits(definitions, monotonic, store, claims);
