// The exits of a node by product and place. Pools are made on first use, also for places that customers have made up.
import { type Exit, countriesFor, placeOf, serves, takesNames } from './exit.ts';
import { CountryChoice, type CountryPool } from './country-choice.ts';
import { Dealer, StickyTable, weightOf } from './exit-choice.ts';
import { EUROPEAN_COUNTRIES } from './protocol/pools.ts';
import { countriesOf } from './protocol/line-countries.ts';
import type { LineTarget } from './protocol/line-username.ts';
import { PRODUCT_CODES, type ProductCode } from './protocol/product.ts';
import { respelled } from './unknown-place.ts';

/** The exits for one product and place. */
export class ExitPool implements CountryPool {
  /** As in the line: a code, `eu` or `any`. */
  readonly country: string;
  readonly place: string;
  readonly exits: readonly Exit[];
  readonly takeNames: boolean;
  /** This pool as a list, for choices that go through several. */
  readonly alone: readonly ExitPool[] = [this];
  #dealer: Dealer | undefined;
  #table: StickyTable | undefined;
  #weight: number | undefined;

  constructor(country: string, place: string, exits: readonly Exit[]) {
    this.country = country;
    this.place = place;
    this.exits = exits;
    this.takeNames = exits.length > 0 && exits.every(takesNames);
  }

  get dealer(): Dealer {
    return (this.#dealer ??= new Dealer(this.exits));
  }

  get table(): StickyTable {
    return (this.#table ??= new StickyTable(this.exits));
  }

  /** The sum of its exits' weights. */
  get weight(): number {
    return (this.#weight ??= this.exits.reduce((sum, { definition }) => sum + weightOf(definition), 0));
  }
}

/** How many pools of a product are cached; making one again is cheap. */
const MAX_POOLS = 2_000;

/** The line as exits of one of its countries see it. */
export const inCountry = (target: LineTarget, country: string): LineTarget =>
  country === target.country && target.not === undefined ? target : { ...target, country, not: undefined };

/** Of exits that do not change; others have an index of their own. */
export class ExitIndex {
  readonly #all: readonly Exit[];
  /** Exits that are in one country. */
  readonly #byCountry: ReadonlyMap<string, readonly Exit[]>;
  readonly #gateways: readonly Exit[];
  /** By place, for each product. */
  readonly #pools = byProduct<ExitPool>();
  readonly #choices = byProduct<CountryChoice<ExitPool>>();
  readonly #countries = new Map<ProductCode, readonly string[]>();

  constructor(all: readonly Exit[]) {
    this.#all = all;
    this.#gateways = all.filter(({ definition }) => definition.kind === 'gateway');
    this.#byCountry = Map.groupBy(
      all.filter(({ definition }) => definition.kind !== 'gateway'),
      ({ definition }) => ('country' in definition ? definition.country : ''),
    );
  }

  /** For a line of one country, Europe or Worldwide. */
  poolOf(product: ProductCode, target: LineTarget, place: string): ExitPool {
    const pools = this.#pools[product];
    const known = pools.get(place);
    if (known) return known;
    const pool = new ExitPool(target.country, place, this.#serving(product, target) ?? this.#serving(product, respelled(target)) ?? []);
    // Places come from customers: only those that have exits are cached.
    if (pool.exits.length > 0) cache(pools, place, pool);
    return pool;
  }

  /** For a line of several countries: the pools of those that have exits. */
  choiceOf(product: ProductCode, target: LineTarget, place: string): CountryChoice<ExitPool> {
    const choices = this.#choices[product];
    const known = choices.get(place);
    if (known) return known;
    const pools = this.#named(product, target).map((country) => {
      const there = inCountry(target, country);
      return this.poolOf(product, there, placeOf(there));
    });
    const choice = new CountryChoice(pools.filter(({ exits }) => exits.length > 0));
    if (choice.pools.length > 0) cache(choices, place, choice);
    return choice;
  }

  #serving(product: ProductCode, target: LineTarget | undefined): Exit[] | undefined {
    if (!target) return undefined;
    const { country } = target;
    const there = country === 'any' || country === 'eu' ? this.#all : [...(this.#byCountry.get(country) ?? []), ...this.#gateways];
    const exits = there.filter(({ definition }) => serves(definition, product, target));
    return exits.length > 0 ? exits : undefined;
  }

  /** The countries that may serve the line. A seller of all countries says of none that it has exits there, so for Worldwide it counts where others are. */
  #named(product: ProductCode, { country, not }: LineTarget): readonly string[] {
    const wide = country === 'any' ? this.#countriesWith(product) : country === 'eu' ? EUROPEAN_COUNTRIES : countriesOf(country);
    const excluded = new Set(not === undefined ? [] : countriesOf(not));
    return wide.filter((code) => !excluded.has(code));
  }

  #countriesWith(product: ProductCode): readonly string[] {
    let known = this.#countries.get(product);
    if (!known) {
      const found = new Set<string>();
      for (const { definition } of this.#all) {
        if (!definition.products.includes(product)) continue;
        const countries = definition.kind === 'gateway' ? countriesFor(definition, 'any') : [definition.country];
        for (const country of countries ?? []) found.add(country);
      }
      known = [...found].sort();
      this.#countries.set(product, known);
    }
    return known;
  }
}

const byProduct = <Value>() =>
  Object.fromEntries(PRODUCT_CODES.map((product) => [product, new Map()])) as Record<ProductCode, Map<string, Value>>;

function cache<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.set(key, value);
  if (known.size > MAX_POOLS) known.delete(known.keys().next().value as string);
}
