import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { liveIterator } from '#platform/live-iterator.ts';

/** A source that the test pushes into. */
function source<Value>(options: Parameters<typeof liveIterator<Value>>[1] = {}) {
  let push: (value: Value) => void = () => {};
  const stop = vi.fn<() => void>();
  const iterator = liveIterator<Value>((take) => ((push = take), stop), options);
  return { iterator, stop, push: (value: Value) => push(value) };
}

test('values come in order, to a reader that waits and to one that comes late', async () => {
  const { iterator, push } = source<number>();
  const first = iterator.next();
  for (const value of [1, 2, 3]) push(value);
  expect([await first, await iterator.next(), await iterator.next()].map(({ value }) => value)).toEqual([1, 2, 3]);
});

test('a slow reader loses the oldest, and every loss is counted', async () => {
  const onDrop = vi.fn<() => void>();
  const { iterator, push } = source<number>({ capacity: 2, onDrop });
  for (const value of [1, 2, 3, 4]) push(value);
  expect(onDrop).toHaveBeenCalledTimes(2);
  expect([await iterator.next(), await iterator.next()].map(({ value }) => value)).toEqual([3, 4]);
});

test('of one key only the newest waits, and takes no place of another key', async () => {
  const { iterator, push } = source<string>({ capacity: 2, key: (value) => value[0] ?? '' });
  for (const value of ['a1', 'b1', 'a2', 'a3', 'b2']) push(value);
  expect([await iterator.next(), await iterator.next()].map(({ value }) => value)).toEqual(['a3', 'b2']);
});

test('a reader that leaves while it waits is released, and the source is stopped once', async () => {
  const { iterator, stop, push } = source<number>();
  const waiting = iterator.next();
  await iterator.return?.();
  await iterator.return?.();
  push(1);
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(stop).toHaveBeenCalledOnce();
});

test('a caller that goes releases a reader that waits, and stops the source', async () => {
  const caller = new AbortController();
  const { iterator, stop } = source<number>({ signal: caller.signal });
  const waiting = iterator.next();
  caller.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(stop).toHaveBeenCalledOnce();
});

test('a caller that has gone before leaves no source behind', async () => {
  const { iterator, stop } = source<number>({ signal: AbortSignal.abort() });
  expect(stop).toHaveBeenCalledOnce();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test('a long request that opens many of them keeps no listener of those that have ended', async () => {
  const { signal } = new AbortController();
  const { iterator, stop } = source<number>({ signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await iterator.return?.();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(stop).toHaveBeenCalledOnce();
});
