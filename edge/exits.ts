// Chooses the exit that a connection leaves by: rotating lines get another one each time, sticky lines keep theirs for the session's lifetime.
import { MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';
import { type Exit, type ExitDefinition, createExit, hasManyAddresses, keepsSession, nameOf, placeOf, serves } from './exit.ts';
import { ExitIndex, type ExitPool, inCountry } from './exit-index.ts';
import { type ExitLine, sessionToken } from './exit-line.ts';
import { type PickHints, type Picked, leadsTo, refuse } from './pick-hints.ts';
import { isSeveral } from './protocol/line-countries.ts';
import type { ProductCode } from './protocol/product.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { SessionClaim } from './protocol/control-plane.ts';
import { type Session, SessionBook } from './session-book.ts';
import type { SessionClaims } from './session-claims.ts';
import { beforeTurn, sessionKey } from './session-key.ts';
import type { SessionStore } from './session-store.ts';
import { noExitIn } from './unknown-place.ts';

export interface ExitPools {
  readonly all: readonly Exit[];
  /**
   * The exit for one connection. Throws `exit_unavailable`, `target_family_unreachable`, or `exit_gone` for a session whose exit is lost. A promise
   * only when a session begins.
   */
  pick(planId: string, product: ProductCode, target: LineTarget, hints?: PickHints): Picked | Promise<Picked>;
  /** What an exit with many addresses is told about the line, after it was picked. */
  lineAt(picked: Picked, planId: string, product: ProductCode, target: LineTarget): ExitLine;
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

/** How long other exits are preferred for a target that an exit refuses. */
const AVOID_MS = 5 * MINUTE;
const AVOIDED = 20_000;

/** Which exits are passed over as long as there is another one. */
const NONE = 0;
const THE_LAST_ONE = 1;
const THOSE_THAT_REFUSE_THE_TARGET = 2;

class NodeExits implements ExitPools {
  all: readonly Exit[] = [];
  #byId: ReadonlyMap<string, Exit> = new Map();
  #index = new ExitIndex([]);
  readonly #sessions: SessionBook;
  /** Sessions that are just beginning: their other connections wait for the same answer. */
  readonly #beginning = new Map<string, Promise<Picked>>();
  /** Sessions that the platform is just asked about again. */
  readonly #asking = new Map<string, Promise<boolean>>();
  /** Exit and target -> monotonic milliseconds. */
  readonly #avoided = new Lru<number>(AVOIDED);
  readonly #monotonic: () => number;
  readonly #claims: SessionClaims | undefined;

  constructor(
    definitions: readonly ExitDefinition[],
    monotonic: () => number,
    store: SessionStore | undefined,
    claims: SessionClaims | undefined,
  ) {
    this.#monotonic = monotonic;
    this.#claims = claims;
    this.#sessions = new SessionBook(monotonic, store);
    this.replace(definitions);
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
    this.#index = new ExitIndex(this.all);
    this.#sessions.attach(this.#byId);
  }

  pick(planId: string, product: ProductCode, target: LineTarget, hints: PickHints = {}): Picked | Promise<Picked> {
    return target.session === undefined ? this.#rotate(planId, product, target, hints) : this.#stick(planId, product, target, hints);
  }

  lineAt({ exit, country }: Picked, planId: string, product: ProductCode, target: LineTarget): ExitLine {
    const there = inCountry(target, country);
    if (target.session === undefined || !hasManyAddresses(exit)) return { target: there };
    const key = sessionKey(planId, product, target);
    return { target: there, session: sessionToken(exit, key, this.#sessions.get(key)?.life ?? 0) };
  }

  takeNames(product: ProductCode, target: LineTarget): boolean {
    const place = placeOf(target);
    const pools = isSeveral(target) ? this.#index.choiceOf(product, target, place).pools : this.#index.poolOf(product, target, place).alone;
    if (pools.every(({ exits }) => exits.length === 0)) throw noExitIn(target, this.all);
    return pools.every(({ takeNames }) => takeNames);
  }

  avoid(exit: Exit, host: string): void {
    this.#avoided.set(`${exit.definition.id} ${host}`, this.#monotonic() + AVOID_MS);
  }

  sessions(): number {
    return this.#sessions.size;
  }

  sweep(): void {
    this.#sessions.sweep();
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

  /**
   * Chooses among the exits that are usable now, of the first pool that has one. Exits that refuse the target, and `last`, are used only when no other is
   * left. Undefined: none is usable.
   */
  #choose(
    pools: readonly ExitPool[],
    target: LineTarget,
    { hints: { except, addresses, host, local = false }, last }: { hints: PickHints; last?: Exit | undefined },
    choose: (pool: ExitPool, usable: (exit: Exit) => boolean) => Exit | undefined,
  ): Picked | undefined {
    const strictest = host !== undefined && this.#avoided.size > 0 ? THOSE_THAT_REFUSE_THE_TARGET : last ? THE_LAST_ONE : NONE;
    for (let passedOver = strictest; passedOver >= NONE; passedOver--)
      for (const pool of pools) {
        const exit = choose(
          pool,
          (candidate) =>
            this.#isOpen(candidate, pool.place) &&
            (!local || candidate.definition.kind === 'local') &&
            !except?.has(candidate) &&
            (host === undefined || leadsTo(candidate, addresses)) &&
            keepsSession(candidate.definition, target) &&
            (passedOver < THE_LAST_ONE || candidate !== last) &&
            (passedOver < THOSE_THAT_REFUSE_THE_TARGET || !this.#isAvoided(candidate, host ?? '')),
        );
        if (exit) return { exit, country: pool.country };
      }
    return undefined;
  }

  #rotate(planId: string, product: ProductCode, target: LineTarget, hints: PickHints): Picked {
    const place = placeOf(target);
    const deal = ({ dealer }: ExitPool, usable: (exit: Exit) => boolean) => dealer.deal(planId, usable);
    if (!isSeveral(target)) {
      const { alone } = this.#index.poolOf(product, target, place);
      return this.#choose(alone, target, { hints }, deal) ?? refuse(alone, hints);
    }
    const choice = this.#index.choiceOf(product, target, place);
    const walk = choice.walkOf(planId);
    const picked = this.#choose(choice.next(walk), target, { hints, last: walk.last }, deal) ?? refuse(choice.pools, hints);
    walk.last = picked.exit;
    return picked;
  }

  #stick(planId: string, product: ProductCode, target: LineTarget, hints: PickHints): Picked | Promise<Picked> {
    const place = placeOf(target);
    const key = sessionKey(planId, product, target, place);
    const now = this.#monotonic();
    const session = this.#sessions.get(key);
    const alive = session && session.until > now ? session : undefined;
    if (alive && this.#claims && (alive.renewals ?? 0) !== (hints.renewals ?? 0)) {
      const asked = this.#askAgain(key, alive, { product, target, hints });
      // While the platform does not answer the session stays as it is.
      return asked.then((told) => this.#stick(planId, product, target, told ? hints : { ...hints, renewals: alive.renewals }));
    }
    if (alive) {
      const { exit } = alive;
      if (exit?.healthy && !hints.except?.has(exit)) {
        const country = (alive.country ??= this.#countryOf(exit, product, target, key));
        if (!this.#isOpen(exit, country === target.country ? place : placeOf(inCountry(target, country)))) throw fail('exit_unavailable');
        if (hints.host !== undefined && !leadsTo(exit, hints.addresses)) throw fail('target_family_unreachable');
        return { exit, country };
      }
      if (!target.switchesWhenLost) throw fail('exit_gone');
    }
    const { renewals } = hints;
    const begun = this.#beginning.get(key);
    if (begun) return begun;
    const life = (session?.life ?? -1) + 1;
    // A session that switches its exit still ends when it would have, and stays in its country.
    const lifetimeMs = alive ? alive.until - now : (target.lifetime ?? 0) * MINUTE;
    const pools = this.#poolsFor(product, target, { place, key, got: alive?.country });
    const before = beforeTurn(target);
    const after = before && sessionKey(planId, product, before, place);
    const former = alive ? undefined : (session ?? (after === undefined ? undefined : this.#sessions.get(after)));
    const last = former && this.#byId.get(former.exitId);
    const choose = ({ table }: ExitPool, usable: (exit: Exit) => boolean) => table.choose(`${key}#${life}`, usable);
    const picked = this.#choose(pools, target, { hints, last }, choose) ?? refuse(pools, hints);
    const exitId = picked.exit.definition.id;
    if (!this.#claims) {
      this.#sessions.begin(key, { exit: picked.exit, exitId, country: picked.country, life, renewals }, lifetimeMs);
      return picked;
    }
    const others = { ...hints, except: new Set([picked.exit, ...(hints.except ?? [])]) };
    const spare = alive ? undefined : this.#choose(pools, target, { hints: others, last }, choose);
    const claim = { key, exitId, spareId: spare?.exit.definition.id, after, life, lifetimeMs, lost: alive?.exitId };
    const wished = spare ? [picked, spare] : [picked];
    const beginningNow = this.#begin(claim, { wished, renewals, countryOf: (exit) => this.#countryOf(exit, product, target, key) });
    this.#beginning.set(key, beginningNow);
    return beginningNow.finally(() => this.#beginning.delete(key));
  }

  /** The pools for a session: those of the country that it has got, or all of which it may choose. */
  #poolsFor(
    product: ProductCode,
    target: LineTarget,
    { place, key, got }: { place: string; key: string; got?: string | undefined },
  ): readonly ExitPool[] {
    if (!isSeveral(target)) return this.#index.poolOf(product, target, place).alone;
    const pools = this.#index.choiceOf(product, target, place).ranked(key);
    return got === undefined ? pools : pools.filter(({ country }) => country === got);
  }

  /** The country of a session that began at another node: of a gateway it is the one that this node would have chosen. */
  #countryOf({ definition }: Exit, product: ProductCode, target: LineTarget, key: string): string {
    if (!isSeveral(target)) return target.country;
    if (definition.kind !== 'gateway') return definition.country;
    const sold = this.#poolsFor(product, target, { place: placeOf(target), key }).find(({ country }) =>
      serves(definition, product, inCountry(target, country)),
    );
    return sold?.country ?? target.country;
  }

  /**
   * The owner has asked for another address of a session of the plan, perhaps of this one: a session that the platform has ended begins anew, at another exit
   * if there is one. Resolves with whether the platform has answered.
   */
  #askAgain(
    key: string,
    session: Session,
    { product, target, hints }: { product: ProductCode; target: LineTarget; hints: PickHints },
  ): Promise<boolean> {
    const asking = this.#asking.get(key);
    if (asking) return asking;
    const pools = this.#poolsFor(product, target, { place: placeOf(target), key });
    const { exit, exitId, life, until } = session;
    const except = new Set([...(exit ? [exit] : []), ...(hints.except ?? [])]);
    const spare = this.#choose(pools, target, { hints: { ...hints, except } }, ({ table }, usable) =>
      table.choose(`${key}#${life + 1}`, usable),
    );
    const lifetimeMs = (target.lifetime ?? 0) * MINUTE;
    const claim = { key, exitId, spareId: spare?.exit.definition.id, life, lifetimeMs };
    const asked = Promise.resolve(this.#claims?.claim(claim)).then((claimed) => {
      if (!claimed) return false;
      const isSame = claimed.exitId === exitId && claimed.life === life;
      const now = isSame ? exit : this.#byId.get(claimed.exitId);
      const country = isSame ? session.country : now === spare?.exit ? spare?.country : undefined;
      const leftMs = isSame ? until - this.#monotonic() : claimed.leftMs;
      this.#sessions.begin(key, { exit: now, exitId: claimed.exitId, country, life: claimed.life, renewals: hints.renewals }, leftMs);
      return true;
    });
    this.#asking.set(key, asked);
    return asked.finally(() => this.#asking.delete(key));
  }

  async #begin(
    claim: SessionClaim,
    { wished, renewals, countryOf }: { wished: readonly Picked[]; renewals: number | undefined; countryOf: (exit: Exit) => string },
  ): Promise<Picked> {
    const claimed = await this.#claims?.claim(claim);
    const exitId = claimed?.exitId ?? claim.exitId;
    const exit = this.#byId.get(exitId);
    const country = exit && (wished.find((picked) => picked.exit === exit)?.country ?? countryOf(exit));
    const life = claimed?.life ?? claim.life;
    this.#sessions.begin(claim.key, { exit, exitId, country, life, renewals }, claimed?.leftMs ?? claim.lifetimeMs);
    if (!exit?.healthy || country === undefined) throw fail('exit_gone');
    return { exit, country };
  }
}

/** `store` keeps sessions across restarts; `claims` shares them with other nodes. */
export const createExitPools = (
  definitions: readonly ExitDefinition[],
  monotonic: () => number = () => performance.now(),
  store?: SessionStore,
  claims?: SessionClaims,
): ExitPools => new NodeExits(definitions, monotonic, store, claims);
