// A year, again and again, each from a seed of its own: what people, cards, notices and the processor may do, and books that agree at its end.
import { expect, test } from 'vitest';
import { startSubscriptions } from '../../billing/subscription-world.ts';
import { type YearSeen, liveYear } from '../../billing/year.ts';
import { SCALE, SEED, say, scaled } from './scale.ts';

/** Years that share a world: one after the other by its clock, and not so many that each looks through all before it. */
const TOGETHER = 5;
/** Worlds at once: most of a year is waiting for answers. */
const AT_ONCE = 4;

/** The years of these seeds, one after the other; what they have seen together. */
async function live(seeds: readonly number[]): Promise<YearSeen> {
  const world = await startSubscriptions();
  try {
    let seen: YearSeen = { purchases: 0, renewals: 0, failures: 0, ended: 0 };
    // What a world has seen is of all its years.
    for (const seed of seeds) seen = await liveYear(world, seed);
    return seen;
  } finally {
    await world.close();
  }
}

/** Not in the short form: the tests live through one of them as it is. */
test.skipIf(SCALE < 0.015)('a simulated year leaves books that agree, whatever its seed', async () => {
  const years = scaled(200, 1);
  const seeds = Array.from({ length: years }, (_, index) => SEED + index);
  const seen: YearSeen = { purchases: 0, renewals: 0, failures: 0, ended: 0 };
  const lane = async () => {
    for (let next = seeds.splice(0, TOGETHER); next.length > 0; next = seeds.splice(0, TOGETHER)) {
      const lived = await live(next);
      for (const name of ['purchases', 'renewals', 'failures', 'ended'] as const) seen[name] += lived[name];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const { purchases, renewals, failures, ended } = seen;
  expect(Math.min(purchases, renewals)).toBeGreaterThan(0);
  const told = (count: number) => count.toLocaleString('en');
  say(
    `${years} years of seeds ${SEED} to ${SEED + years - 1}: ${told(purchases)} purchases, ${told(renewals)} renewals, ${told(failures)} mails of failures, ${told(ended)} subscriptions ended; I1 to I5 hold after each`,
  );
});
