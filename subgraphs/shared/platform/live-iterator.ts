import { AsyncQueue, type AsyncQueueOptions } from './async-queue.ts';

/** How many values may wait for a slow reader. */
const CAPACITY = 64;

export interface LiveOptions<Value> extends Omit<AsyncQueueOptions<Value>, 'onEnd'> {
  /** Ends the iterator too, so that a caller who leaves while nobody reads leaves no source behind. */
  signal?: AbortSignal;
}

/**
 * A push source as an async iterator with a bounded queue. `start` is called at once with the function that takes values; it returns a function that stops the
 * source, which is called when the reader leaves or `signal` aborts.
 */
export function liveIterator<Value>(
  start: (push: (value: Value) => void) => () => void,
  { signal, ...options }: LiveOptions<Value> = {},
): AsyncIterableIterator<Value> {
  let stop: () => void = () => {};
  const leave = () => queue.cancel();
  const queue: AsyncQueue<Value> = new AsyncQueue<Value>({
    capacity: CAPACITY,
    ...options,
    onEnd() {
      signal?.removeEventListener('abort', leave);
      stop();
    },
  });
  stop = start((value) => queue.push(value));
  if (signal?.aborted) leave();
  else signal?.addEventListener('abort', leave, { once: true });
  return queue;
}
