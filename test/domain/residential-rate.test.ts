import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND, after } from '#shared/clock.ts';
import { NewNumbers, readSpans, writeSpans } from '../../subgraphs/residential/domain/line-numbers.ts';
import { PACED_MS, RECENT_MS, bytesPerSecond, projectedEnd } from '../../subgraphs/residential/domain/usage-rate.ts';

const now = new Date('2026-03-01T12:00:00Z');
const plan = {
  totalBytes: 1_000_000_000n,
  upBytes: 0n,
  downBytes: 0n,
  recentBytes: 0,
  pacedBytes: 0,
  ratedAt: now,
  createdAt: after(now, -30 * DAY),
  asOf: now,
};

describe('the live rate', () => {
  test('of a steady flow is that flow, and falls to nothing when it stops', () => {
    // What stands in the row after a long time of 1 MB each second.
    let recentBytes = 0;
    for (let second = 0; second < 600; second++) recentBytes = recentBytes * Math.exp(-SECOND / RECENT_MS) + 1_000_000;
    const rate = (seconds: number) => Number(bytesPerSecond({ recentBytes, ratedAt: now, asOf: after(now, seconds * SECOND) }));
    expect(rate(0)).toBeGreaterThan(980_000);
    expect(rate(0)).toBeLessThan(1_020_000);
    expect(rate(30)).toBeLessThan(rate(0) / 2.5);
    expect(rate(600)).toBe(0);
  });

  test('of a plan that was never used is nothing', () => {
    expect(bytesPerSecond({ recentBytes: 0, ratedAt: null, asOf: now })).toBe(0n);
  });
});

describe('the projected end', () => {
  const steady = (perDay: number, ageMs: number) => {
    let pacedBytes = 0;
    for (let hour = 0; hour < ageMs / HOUR; hour++) pacedBytes = pacedBytes * Math.exp(-HOUR / PACED_MS) + perDay / 24;
    return { ...plan, createdAt: after(now, -ageMs), pacedBytes };
  };

  test.each([30 * DAY, 2 * DAY, 6 * HOUR])('of a steady pace is what is left by that pace, whatever the age (%i ms)', (age) => {
    const end = projectedEnd(steady(100_000_000, age));
    const days = ((end?.getTime() ?? 0) - now.getTime()) / DAY;
    expect(days).toBeGreaterThan(9.2);
    expect(days).toBeLessThan(10.8);
  });

  test('is none for a plan that is used up, was never used, or would last for decades', () => {
    const used = steady(100_000_000, 30 * DAY);
    expect(projectedEnd({ ...used, downBytes: plan.totalBytes })).toBeNull();
    expect(projectedEnd({ ...used, ratedAt: null })).toBeNull();
    expect(projectedEnd({ ...used, pacedBytes: 0 })).toBeNull();
    expect(projectedEnd(steady(100, 30 * DAY))).toBeNull();
  });
});

describe('the lines of a report', () => {
  test('are new once, whatever came before, in whatever pieces', () => {
    const pieces = fc.array(fc.array(fc.nat(60), { maxLength: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (given) => {
        const seen = new Set<number>();
        for (const piece of given) {
          // As the database keeps them: merged, ascending, apart, as half-open ranges.
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
