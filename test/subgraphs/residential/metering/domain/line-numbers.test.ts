import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NewNumbers, readSpans, writeSpans } from '../../../../../subgraphs/residential/metering/domain/line-numbers.ts';

describe('the lines of a report', () => {
  test('are new once, whatever came before, in parts of any size', () => {
    const pieces = fc.array(fc.array(fc.nat(60), { maxLength: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (given) => {
        const seen = new Set<number>();
        for (const piece of given) {
          // As the database keeps them: half-open ranges, ascending, merged where they touch.
          const kept = new NewNumbers([]);
          for (const line of seen) kept.take(line);
          const known = readSpans(
            `{${kept
              .spans()
              .map(([first, last]) => `[${first},${last + 1})`)
              .join(',')}}`,
          );
          const numbers = new NewNumbers(known);
          const fresh = piece.filter((line) => numbers.take(line));
          expect(fresh).toEqual([...new Set(piece)].filter((line) => !seen.has(line)));
          for (const line of fresh) seen.add(line);
          expect(numbers.spans().flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))).toEqual(
            fresh.toSorted((a, b) => a - b),
          );
        }
      }),
    );
  });

  test('are written as PostgreSQL reads them', () => {
    expect(
      writeSpans([
        [0, 4],
        [7, 7],
      ]),
    ).toBe('{[0,4],[7,7]}');
    expect(readSpans('{[0,5),[7,8)}')).toEqual([
      [0, 4],
      [7, 7],
    ]);
    expect(readSpans('{}')).toEqual([]);
  });
});
