import { AsyncQueue, type AsyncQueueOptions } from './async-queue.ts';

/** Values that wait for a slow reader. */
const CAPACITY = 64;

export interface LiveOptions<Value> extends Omit<AsyncQueueOptions<Value>, 'onEnd'> {
  /** Whose end is the iterator's: a caller that goes while nobody reads leaves no source behind. */
  signal?: AbortSignal;
}

/**
 * A push source as an async iterator with a bounded queue. `start` is called at once with the function that takes values; what it returns stops the
 * source, when the reader leaves or `signal` aborts.
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
