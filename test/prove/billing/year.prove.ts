// A year, again and again, each from a seed of its own: what people, cards, notices and the processor may do, and books that agree at its end.
import { expect, test } from 'vitest';
import { startSubscriptions } from '../../billing/subscription-world.ts';
import { type YearSeen, liveYear } from '../../billing/year.ts';
import { SCALE, SEED, say, scaled } from './scale.ts';

/** Years that share a world: one after the other by its clock, and not so many that each looks through all before it. */
const TOGETHER = 5;

/** Not in the short form: the tests live through one of them as it is. */
test.skipIf(SCALE < 0.015)('a simulated year leaves books that agree, whatever its seed', async () => {
  const years = scaled(200, 1);
  const seen = { purchases: 0, renewals: 0, ended: 0 };
  for (let from = 0; from < years; from += TOGETHER) {
    const world = await startSubscriptions();
    let last: YearSeen | undefined;
    for (let seed = SEED + from; seed < SEED + Math.min(years, from + TOGETHER); seed++) last = await liveYear(world, seed);
    // What a world has seen is of all its years.
    for (const name of ['purchases', 'renewals', 'ended'] as const) seen[name] += last?.[name] ?? 0;
    await world.close();
  }
  const { purchases, renewals, ended } = seen;
  expect(Math.min(purchases, renewals)).toBeGreaterThan(0);
  say(
    `${years} years of seeds ${SEED} to ${SEED + years - 1}: ${purchases.toLocaleString('en')} purchases, ${renewals.toLocaleString('en')} renewals, ${ended.toLocaleString('en')} subscriptions ended; I1 to I5 hold after each`,
  );
});
