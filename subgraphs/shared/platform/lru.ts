// A bounded map that evicts the least recently used entry. Every cache that a caller can fill is one of these.

export class Lru<Value> {
  readonly #limit: number;
  readonly #weigh: (key: string, value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  /** `limit` counts entries, or the sum of what `weigh` returns; a value's weight must not change. */
  constructor(limit: number, weigh: (key: string, value: Value) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Does not count as a use. Cheaper than `get`, for values that can be made again when they are evicted too early. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(key, value);
    while (this.#weight > this.#limit) this.delete(this.#entries.keys().next().value as string);
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(key, value);
  }

  entries(): Iterable<[string, Value]> {
    return this.#entries.entries();
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
