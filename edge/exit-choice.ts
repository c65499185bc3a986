// Chooses an exit of a pool in constant time, however many there are: by hashing for sessions, by dealing for rotating lines.
import { type Exit, hashOf, mixed } from './exit.ts';

/** Tries before all cells are searched one by one: by then nearly all exits are out. */
const MAX_TRIES = 256;
const EMPTY = -1;

/**
 * A hash table that is filled to between 40 and 80 %. An exit has as many cells as its weight; their positions follow from the exit's id. A session
 * probes the cells in an order that follows from its name until it finds a usable exit. So every node chooses the same exit, also after a restart and
 * in whatever order its exits are configured, and losing or gaining one exit moves only that exit's sessions.
 */
export class StickyTable {
  readonly #exits: readonly Exit[];
  readonly #cells: Int32Array;

  constructor(exits: readonly Exit[]) {
    this.#exits = exits;
    const taken = exits.reduce((sum, { definition }) => sum + weightOf(definition), 0);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, taken * 1.25)));
    this.#cells = new Int32Array(size).fill(EMPTY);
    // When two exits collide, the result must not depend on their order in a file.
    const order = Array.from(exits.keys()).sort((a, b) => (exits[a]?.hash ?? 0) - (exits[b]?.hash ?? 0));
    for (const index of order) {
      const { hash, definition } = exits[index] as Exit;
      for (let copy = 0; copy < weightOf(definition); copy++) {
        let seed = mixed(hash + Math.imul(copy, 0x9e3779b1));
        while (this.#cells[seed & (size - 1)] !== EMPTY) seed = mixed(seed + 1);
        this.#cells[seed & (size - 1)] = index;
      }
    }
  }

  choose(session: string, usable: (exit: Exit) => boolean): Exit | undefined {
    const mask = this.#cells.length - 1;
    let seed = hashOf(session);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const index = this.#cells[seed & mask] as number;
      const exit = index === EMPTY ? undefined : this.#exits[index];
      if (exit && usable(exit)) return exit;
      seed = mixed(seed + 0x9e3779b1);
    }
    for (let step = 0; step <= mask; step++) {
      const exit = this.#exits[this.#cells[(seed + step) & mask] as number];
      if (exit && usable(exit)) return exit;
    }
    return undefined;
  }
}

/** A walk that visits every position once, in a random order, then starts again in another order. */
export interface Order {
  start: number;
  stride: number;
  step: number;
}

/** One plan's walk through a pool: it visits every exit as often as its weight. */
interface Walk extends Order {
  last: Exit | undefined;
  /** Its turn came while it was the last one used, so it is dealt next. */
  held: Exit | undefined;
}

/** Deals exits to rotating lines: a plan gets an exit again only after all others, and never twice in a row if the pool has two. */
export class Dealer {
  readonly #deck: readonly Exit[];
  readonly #walks = new Map<string, Walk>();

  constructor(exits: readonly Exit[]) {
    this.#deck = exits.flatMap((exit) => Array.from({ length: weightOf(exit.definition) }, () => exit));
  }

  deal(planId: string, usable: (exit: Exit) => boolean): Exit | undefined {
    const walk = this.#walkOf(planId);
    const exit = this.#next(walk, usable) ?? (walk.last && usable(walk.last) ? walk.last : undefined);
    if (exit) walk.last = exit;
    return exit;
  }

  #next(walk: Walk, usable: (exit: Exit) => boolean): Exit | undefined {
    const { held, last } = walk;
    if (held && held !== last) {
      walk.held = undefined;
      if (usable(held)) return held;
    }
    const { length } = this.#deck;
    for (let looked = 0; looked < length; looked++) {
      if (walk.step >= length) Object.assign(walk, freshOrder(length));
      const exit = this.#deck[(walk.start + walk.step++ * walk.stride) % length] as Exit;
      if (exit === last) walk.held ??= exit;
      else if (usable(exit)) return exit;
    }
    return undefined;
  }

  #walkOf(planId: string): Walk {
    let walk = this.#walks.get(planId);
    if (walk) this.#walks.delete(planId);
    else walk = { ...freshOrder(this.#deck.length), last: undefined, held: undefined };
    this.#walks.set(planId, walk);
    if (this.#walks.size > MAX_WALKS) this.#walks.delete(this.#walks.keys().next().value as string);
    return walk;
  }
}

/** How many plans' walks through a pool are kept. */
export const MAX_WALKS = 10_000;

export const weightOf = ({ weight = 1 }: Exit['definition']): number => Math.max(1, Math.round(weight));

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** A stride that is coprime to the length visits every place once. */
export function freshOrder(length: number): Order {
  let stride = 1 + Math.floor(Math.random() * Math.max(1, length - 1));
  while (divisor(length, stride) > 1) stride++;
  return { start: Math.floor(Math.random() * length), stride, step: 0 };
}
