import { AsyncQueue, type AsyncQueueOptions } from './async-queue.ts';

/** Values that wait for a slow reader. */
const CAPACITY = 64;

/**
 * A push source as an async iterator with a bounded queue. `start` is called at once with the function that takes values; what it returns stops the source, when the
 * reader leaves.
 */
export function liveIterator<Value>(
  start: (push: (value: Value) => void) => () => void,
  options: Omit<AsyncQueueOptions<Value>, 'onEnd'> = {},
): AsyncIterableIterator<Value> {
  let stop: () => void = () => {};
  const queue = new AsyncQueue<Value>({ capacity: CAPACITY, ...options, onEnd: () => stop() });
  stop = start((value) => queue.push(value));
  return queue;
}
