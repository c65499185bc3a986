// A bounded map that forgets what was used longest ago. Every cache that a caller can fill is one of these.

export class Lru<Value> {
  readonly #limit: number;
  readonly #weigh: (key: string, value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  /** `limit` is in entries, or in what `weigh` counts; the weight of a value does not change. */
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

  /** Without counting as a use: where what is forgotten too early is only made anew, keeping the order would cost more. */
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
