// Values that are pushed, and read as an async iterator. This is no async generator, because one that waits cannot be returned, and a cancelled subscription
// would then leak its source.

export interface AsyncQueueOptions<Value> {
  /** How many values may wait for a slow reader. Beyond that the oldest one is dropped. Absent: no limit. */
  capacity?: number;
  onDrop?: () => void;
  /** Values with the same key are states of one thing: a newer one replaces one that still waits. */
  key?: ((value: Value) => string) | undefined;
  /** Called once. `cancelled`: the reader has left, or was disconnected. */
  onEnd?: (cancelled: boolean) => void;
}

export class AsyncQueue<Value> implements AsyncIterableIterator<Value> {
  readonly #options: AsyncQueueOptions<Value>;
  readonly #values: Value[] = [];
  readonly #readers: ((result: IteratorResult<Value, undefined>) => void)[] = [];
  #hasEnded = false;
  #isCancelled = false;

  constructor(options: AsyncQueueOptions<Value> = {}) {
    this.#options = options;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the reader has left, or was disconnected. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Does nothing once the queue has ended. */
  push(value: Value): void {
    if (this.#hasEnded) return;
    const reader = this.#readers.shift();
    if (reader) return reader({ done: false, value });
    const { key, capacity = Number.POSITIVE_INFINITY, onDrop } = this.#options;
    const same = key ? this.#values.findIndex((earlier) => key(earlier) === key(value)) : -1;
    if (same >= 0) {
      this.#values[same] = value;
      return;
    }
    if (this.#values.length >= capacity) {
      this.#values.shift();
      onDrop?.();
    }
    this.#values.push(value);
  }

  /** No more values are accepted; those that wait can still be read. */
  end(): void {
    this.#end(false);
  }

  /** No more values are accepted, and those that wait are dropped. */
  cancel(): void {
    this.#values.length = 0;
    this.#isCancelled = true;
    this.#end(true);
  }

  #end(cancelled: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    this.#options.onEnd?.(cancelled);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    if (this.#values.length > 0) return Promise.resolve({ done: false, value: this.#values.shift() as Value });
    if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  return(): Promise<IteratorResult<Value, undefined>> {
    this.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<Value, undefined>> {
    this.cancel();
    return Promise.reject(error as Error);
  }
}
