import { expect, test, vi } from 'vitest';
import { AsyncQueue } from '#platform/async-queue.ts';

const OVER = { done: true, value: undefined };

test('what waits is still read after the end, and nothing that comes later', async () => {
  const onEnd = vi.fn<(cancelled: boolean) => void>();
  const queue = new AsyncQueue<number>({ onEnd });
  queue.push(1);
  queue.end();
  queue.push(2);
  expect([await queue.next(), await queue.next()]).toEqual([{ done: false, value: 1 }, OVER]);
  expect(onEnd.mock.calls).toEqual([[false]]);
});

test('what waits is lost when the reader cancels, and the end is told once', async () => {
  const onEnd = vi.fn<(cancelled: boolean) => void>();
  const queue = new AsyncQueue<number>({ onEnd });
  queue.push(1);
  await queue.return();
  queue.end();
  queue.cancel();
  expect(await queue.next()).toEqual(OVER);
  expect(onEnd.mock.calls).toEqual([[true]]);
});

test('of two that wait at once each gets a value in its order, and both hear of the end', async () => {
  const queue = new AsyncQueue<string>();
  const readers = [queue.next(), queue.next(), queue.next(), queue.next()];
  queue.push('a');
  queue.push('b');
  queue.end();
  expect(await Promise.all(readers)).toEqual([{ done: false, value: 'a' }, { done: false, value: 'b' }, OVER, OVER]);
});

test('a queue without a capacity loses nothing', async () => {
  const queue = new AsyncQueue<number>();
  for (let value = 0; value < 1_000; value++) queue.push(value);
  queue.end();
  const values: number[] = [];
  for await (const value of queue) values.push(value);
  expect(values).toEqual(Array.from({ length: 1_000 }, (_, value) => value));
});
