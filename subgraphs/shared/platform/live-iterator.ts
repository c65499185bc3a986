// A push source as an async iterator with a bounded queue: a slow reader loses the oldest values, never the newest. Written by hand, for an async generator
// cannot be returned while it waits, and a cancelled subscription would then leak its source.

/** Values kept for a reader that is behind. */
const CAPACITY = 64;

export interface LiveIteratorOptions<Value> {
  capacity?: number;
  onDrop?: () => void;
  /** Values of one key tell the state of one thing: a newer one takes the place of one that still waits, so that the newest of each is never lost to another's. */
  key?: (value: Value) => string;
}

/** `start` is called at once with the function that takes values; what it returns stops the source, when the reader leaves. */
export function liveIterator<Value>(
  start: (push: (value: Value) => void) => () => void,
  options: LiveIteratorOptions<Value> = {},
): AsyncIterableIterator<Value> {
  const queue: Value[] = [];
  let waiting: ((result: IteratorResult<Value>) => void) | undefined;
  let stop: (() => void) | undefined;
  let over = false;

  const end = (): IteratorResult<Value> => {
    over = true;
    queue.length = 0;
    stop?.();
    stop = undefined;
    waiting?.({ done: true, value: undefined });
    waiting = undefined;
    return { done: true, value: undefined };
  };
  stop = start((value) => {
    if (over) return;
    if (waiting) {
      const give = waiting;
      waiting = undefined;
      give({ done: false, value });
      return;
    }
    const { key } = options;
    const same = key ? queue.findIndex((earlier) => key(earlier) === key(value)) : -1;
    if (same >= 0) {
      queue[same] = value;
      return;
    }
    if (queue.length >= (options.capacity ?? CAPACITY)) {
      queue.shift();
      options.onDrop?.();
    }
    queue.push(value);
  });
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      const value = queue.shift();
      if (value !== undefined) return Promise.resolve({ done: false, value });
      if (over) return Promise.resolve({ done: true, value: undefined });
      return new Promise((give) => (waiting = give));
    },
    return: () => Promise.resolve(end()),
    throw(error) {
      end();
      return Promise.reject(error as Error);
    },
  };
}
