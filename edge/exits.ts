// Chooses the exit that a connection leaves by: rotating lines get another one each time, sticky lines keep theirs for the session's lifetime.
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

/** What the choice depends on besides the line. */
export interface PickHints {
  /** Exits that have already failed for this connection. */
  except?: ReadonlySet<Exit> | undefined;
  /** The target's addresses; the exit must reach one. Undefined: the exit must take names. Without `host` it is ignored. */
  addresses?: readonly string[] | undefined;
  /** The target's name or address. Absent: any exit will do. */
  host?: string | undefined;
  /** Only exits that are an address of this node, since the others carry no datagrams. */
  local?: boolean;
}

export interface ExitPools {
  readonly all: readonly Exit[];
  /**
   * The exit for one connection. Throws `exit_unavailable`, `target_family_unreachable`, or `exit_gone` for a session whose exit is lost. A promise
   * only when a session begins.
   */
  pick(planId: string, product: ProductCode, target: LineTarget, hints?: PickHints): Exit | Promise<Exit>;
  /** What an exit with many addresses is told about the line, after it was picked. */
  lineAt(exit: Exit, planId: string, product: ProductCode, target: LineTarget): ExitLine;
  /**
   * Whether every exit for lines of this place takes names: then this node need not resolve the target. Throws `exit_unavailable` when there is no
   * exit, `proxy_username_invalid` with similar names when the place is unknown.
   */
  takeNames(product: ProductCode, target: LineTarget): boolean;
  /** The exit refuses this target: for a while other exits are tried first. */
  avoid(exit: Exit, host: string): void;
  /** Replaces the exits. Those that remain keep their health and their sessions. */
  replace(definitions: readonly ExitDefinition[]): void;
  /** Number of sessions, for metrics. */
  sessions(): number;
  /** Drops sessions that have ended. */
  sweep(): void;
}

/** The exits for one product and place. */
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
  /** Undefined: the session uses an exit that this node does not have. */
  exit: Exit | undefined;
  exitId: string;
  /** Monotonic milliseconds. */
  until: number;
  /** How many sessions with this key have ended, so that the next one begins at another exit. */
  life: number;
}

const EMPTY = new Pool([]);
/** How long other exits are preferred for a target that an exit refuses. */
const AVOID_MS = 5 * MINUTE;
const AVOIDED = 20_000;

class NodeExits implements ExitPools {
  all: readonly Exit[] = [];
  #byId: ReadonlyMap<string, Exit> = new Map();
  readonly #pools = new Map<string, Pool>();
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are just beginning: their other connections wait for the same answer. */
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
      // A changed log-in or address may mend what failed before.
      if (JSON.stringify(known.definition) !== JSON.stringify(definition))
        Object.assign(known, { definition, name: nameOf(definition), healthy: true, onTrial: true, trouble: undefined, busyUntil: 0 });
      return known;
    });
    this.#byId = new Map(this.all.map((exit) => [exit.definition.id, exit]));
    this.#pools.clear();
    // Sessions go on when an exit that was removed comes back.
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
    // A session number whose session has ended and was dropped here starts again with life 0, at its first exit.
    for (const [key, { until }] of this.#sessions) if (until <= now) this.#sessions.delete(key);
  }

  #poolOf(product: ProductCode, target: LineTarget, place = placeOf(target)): Pool {
    const key = `${product}/${place}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      const exits = this.#serving(product, target) ?? this.#serving(product, respelled(target)) ?? [];
      // Places come from customers: only those that have exits are cached.
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

  /** Chooses among the exits that are usable now. Exits that refuse the target are used only when no other is left. */
  #choose(
    pool: Pool,
    place: string,
    target: LineTarget,
    hints: PickHints,
    choose: (usable: (exit: Exit) => boolean) => Exit | undefined,
  ): Exit {
    const { except, addresses, host, local = false } = hints;
    const usable = (exit: Exit) =>
      this.#isOpen(exit, place) &&
      (!local || exit.definition.kind === 'local') &&
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
    // A session that switches its exit still ends when it would have.
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

/** How many pools are cached; making one again is cheap. */
const MAX_POOLS = 2_000;

const sessionKey = (planId: string, product: ProductCode, target: LineTarget, place = placeOf(target)): string =>
  `${planId}/${product}/${place}/${target.session}`;

/** Whether the exit can reach the target: by name, or at one of its addresses. */
const leadsTo = (exit: Exit, addresses: readonly string[] | undefined): boolean =>
  takesNames(exit) || addresses?.some((address) => reaches(exit, address)) === true;

/** `store` keeps sessions across restarts; `claims` shares them with other nodes. */
export const createExitPools = (
  definitions: readonly ExitDefinition[],
  monotonic: () => number = () => performance.now(),
  store?: SessionStore,
  claims?: SessionClaims,
): ExitPools => new NodeExits(definitions, monotonic, store, claims);
