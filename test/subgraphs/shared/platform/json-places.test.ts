// Lines of values in a JSON text, and keys that are there twice.
import { expect, test } from 'vitest';
import { placesIn } from '#platform/json-places.ts';

const TEXT = `{
  "a": [1, {
    "b \\"quoted\\": {": "x:,}]" },
    [true,
     null]],
  "c": { "d": -1.5e3 },
  "c": { "d": 2,
    "d": 3 }
}`;

test.each<[path: (string | number)[], line: number]>([
  [[], 1],
  [['a'], 2],
  [['a', 0], 2],
  [['a', 1, 'b "quoted": {'], 3],
  [['a', 2], 4],
  [['a', 2, 1], 5],
  [['c', 'd'], 8],
  [['a', 1, 'none', 'deeper'], 2],
  [['none'], 1],
])('the line of %j is %i', (path, line) => {
  expect(placesIn(TEXT).lineOf(path)).toBe(line);
});

test('a key that its object had before is told, in the order of the text', () => {
  expect(placesIn(TEXT).repeated).toEqual([['c']]);
  expect(placesIn('{"a":{"b":1,"b":2,"b":3},"c":1,"c":2}').repeated).toEqual([['a', 'b'], ['c']]);
  expect(placesIn('{"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}]}').repeated).toEqual([]);
});
