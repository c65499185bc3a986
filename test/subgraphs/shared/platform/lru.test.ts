import { expect, test } from 'vitest';
import { Lru } from '#platform/lru.ts';

const keys = (lru: { entries(): Iterable<[string, unknown]> }) => [...lru.entries()].map(([key]) => key);

test('forgets what was used longest ago', () => {
  const lru = new Lru<number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  expect(lru.get('a')).toBe(1);
  lru.set('c', 3);
  expect(lru.get('b')).toBeUndefined();
  expect(keys(lru)).toEqual(['a', 'c']);
});

test('holds as much weight as it may, however it is replaced and deleted', () => {
  const lru = new Lru<string>(10, (key, value) => key.length + value.length);
  lru.set('a', '1234');
  lru.set('b', '1234');
  expect(keys(lru)).toEqual(['a', 'b']);
  lru.set('a', '12');
  lru.set('c', '1');
  expect(keys(lru)).toEqual(['b', 'a', 'c']);
  lru.delete('b');
  lru.delete('nothing');
  lru.set('d', '1234');
  expect(keys(lru)).toEqual(['a', 'c', 'd']);
  lru.set('e', 'longer than all');
  expect(keys(lru)).toEqual([]);
  lru.clear();
  lru.set('f', '123456789');
  expect(keys(lru)).toEqual(['f']);
});
