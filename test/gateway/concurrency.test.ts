import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../gateway/http/concurrency.ts';

/** A limit of two on a loop that is as busy as `loop.busy` says, and the names of those who have begun. */
function limited(busy: number) {
  const loop = { busy, now: 0 };
  const begun: string[] = [];
  const limit = createConcurrencyLimit(
    { max: 2, countedMs: 500 },
    () => loop.now,
    () => loop.busy,
  );
  return { loop, begun, enter: (name: string) => limit.enter(() => begun.push(name)) };
}

test('whoever comes while the loop has time to spare begins at once, however many', () => {
  const { begun, enter } = limited(0.5);
  for (const name of 'abcdef') enter(name);
  expect(begun.join('')).toBe('abcdef');
});

test('on a busy loop two begin, and the others in their order as those before them are answered', () => {
  const { begun, enter } = limited(1);
  const [a, b] = [enter('a'), enter('b'), enter('c'), enter('d')];
  expect(begun.join('')).toBe('ab');
  b();
  expect(begun.join('')).toBe('abc');
  a();
  expect(begun.join('')).toBe('abcd');
});

test('an answer that is told twice makes room once', () => {
  const { begun, enter } = limited(1);
  const [a] = [enter('a'), enter('b'), enter('c'), enter('d')];
  a();
  a();
  expect(begun.join('')).toBe('abc');
});

test('whoever leaves while waiting is passed over', () => {
  const { begun, enter } = limited(1);
  const [a, , c] = [enter('a'), enter('b'), enter('c'), enter('d')];
  c();
  a();
  expect(begun.join('')).toBe('abd');
});

test('work that waits for something else than the loop holds its place for half a second only', () => {
  const { loop, begun, enter } = limited(1);
  enter('slow sender');
  enter('hung vendor');
  loop.now = 499;
  const next = enter('next');
  expect(begun).toHaveLength(2);
  loop.now = 519;
  enter('after');
  expect(begun).toEqual(['slow sender', 'hung vendor', 'next', 'after']);
  next();
});

test('those who wait begin once the loop has time again, though nobody was answered', async () => {
  const { loop, begun, enter } = limited(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = [enter('a'), enter('b')];
  expect(limit).toHaveLength(2);
  enter('c');
  loop.busy = 0.2;
  loop.now = 100;
  const look = setInterval(() => begun.length === 3 && resolve(), 5);
  await promise;
  clearInterval(look);
  expect(begun.join('')).toBe('abc');
});
