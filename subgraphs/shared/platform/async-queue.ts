// Values that are pushed, read as an async iterator. Written by hand, for an async generator cannot be returned while it waits, and a cancelled subscription would
// then leak its source.

export interface AsyncQueueOptions<Value> {
  /** Values that wait for a slow reader; beyond them the oldest is lost, never the newest. Absent: as many as come. */
  capacity?: number;
  onDrop?: () => void;
  /** Values of one key are states of one thing: a newer one takes the place of one that still waits, so that the newest of each is never lost to another's. */
  key?: ((value: Value) => string) | undefined;
  /** Called once; `cancelled`: the reader has left, or was made to. */
  onEnd?: (cancelled: boolean) => void;
}

export class AsyncQueue<Value> implements AsyncIterableIterator<Value> {
  readonly #options: AsyncQueueOptions<Value>;
  readonly #values: Value[] = [];
  readonly #readers: ((result: IteratorResult<Value, undefined>) => void)[] = [];
  #hasEnded = false;

  constructor(options: AsyncQueueOptions<Value> = {}) {
    this.#options = options;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
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

  /** Nothing more comes; what waits is still read. */
  end(): void {
    this.#end(false);
  }

  /** Nothing more is read. */
  cancel(): void {
    this.#values.length = 0;
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
