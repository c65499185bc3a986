// The choice among exits of a pool in constant time, however many there are: for a session by hashing, for rotating lines by dealing.
import { type Exit, hashOf, mixed } from './exit.ts';

/** Tries before the rest is looked through one by one: nearly all exits are out then. */
const MAX_TRIES = 256;
const EMPTY = -1;

/**
 * Cells of which between two and four fifths are taken, as many for an exit as its weight says; where they are follows from the exit's id. A session
 * goes through the cells in an order of its own until one has a usable exit: every node and every restart finds the same one, in whatever order they
 * have their exits, and the loss or gain of one exit moves only its own sessions.
 */
export class StickyTable {
  readonly #exits: readonly Exit[];
  readonly #cells: Int32Array;

  constructor(exits: readonly Exit[]) {
    this.#exits = exits;
    const taken = exits.reduce((sum, { definition }) => sum + weightOf(definition), 0);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, taken * 1.25)));
    this.#cells = new Int32Array(size).fill(EMPTY);
    // Where two want the same cell, the order must not depend on that of a file.
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

/** One plan's way through a pool: every exit once, as often as its weight says, in an order of its own, then in another one. */
interface Walk {
  start: number;
  stride: number;
  step: number;
  last: Exit | undefined;
  /** Dealt while it was the last one: its turn comes with the next. */
  held: Exit | undefined;
}

/** Exits for rotating lines: no plan gets one again before it had all others, and never the same twice in a row where there are two. */
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

/** Plans whose walk through a pool is remembered. */
const MAX_WALKS = 10_000;

const weightOf = ({ weight = 1 }: Exit['definition']): number => Math.max(1, Math.round(weight));

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** A stride without a common divisor with the length comes by every place once. */
function freshOrder(length: number): Pick<Walk, 'start' | 'stride' | 'step'> {
  let stride = 1 + Math.floor(Math.random() * Math.max(1, length - 1));
  while (divisor(length, stride) > 1) stride++;
  return { start: Math.floor(Math.random() * length), stride, step: 0 };
}
