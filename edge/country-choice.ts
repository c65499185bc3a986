// Chooses among the countries of a line that names several: each as often as it has exits. The exit is then chosen in that country's own pool, so the cost
// depends on the number of countries and not of exits.
import { Lru } from '#platform/lru.ts';
import { type Exit, hashOf, mixed } from './exit.ts';
import { MAX_WALKS, type Order, freshOrder } from './exit-choice.ts';

/** The exits of one country. */
export interface CountryPool {
  readonly country: string;
  /** The sum of its exits' weights, above 0. */
  readonly weight: number;
}

/** One plan's walk through the exits of all countries together. */
export interface CountryWalk extends Order {
  /** The exit that was used last. */
  last: Exit | undefined;
}

const HASHES = 2 ** 32;

export class CountryChoice<Pool extends CountryPool> {
  readonly pools: readonly Pool[];
  /** How many exits the countries have up to each. */
  readonly #bounds: readonly number[];
  readonly #total: number;
  readonly #hashes: readonly number[];
  readonly #walks = new Lru<CountryWalk>(MAX_WALKS);

  constructor(pools: readonly Pool[]) {
    this.pools = pools;
    let sum = 0;
    this.#bounds = pools.map(({ weight }) => (sum += weight));
    this.#total = sum;
    this.#hashes = pools.map(({ country }) => hashOf(country));
  }

  walkOf(planId: string): CountryWalk {
    let walk = this.#walks.get(planId);
    if (!walk) {
      walk = { ...freshOrder(this.#total), last: undefined };
      this.#walks.set(planId, walk);
    }
    return walk;
  }

  /** The pools for the next connection of a rotating line: first the country whose turn it is, then the others. */
  next(walk: CountryWalk): readonly Pool[] {
    if (walk.step >= this.#total) Object.assign(walk, freshOrder(this.#total));
    const position = (walk.start + walk.step++ * walk.stride) % this.#total;
    const at = this.#bounds.findIndex((bound) => position < bound);
    return at <= 0 ? this.pools : [...this.pools.slice(at), ...this.pools.slice(0, at)];
  }

  /**
   * The pools for a session: first its country, then those that follow when that one has no exit. By weighted rendezvous hashing, so every node comes to the
   * same country, and other exits in one country move only sessions to it or from it.
   */
  ranked(session: string): readonly Pool[] {
    const seed = hashOf(session);
    const scored = this.pools.map((pool, index) => ({
      pool,
      score: -pool.weight / Math.log((mixed(seed ^ (this.#hashes[index] as number)) + 0.5) / HASHES),
    }));
    return scored.sort((one, other) => other.score - one.score).map(({ pool }) => pool);
  }
}
