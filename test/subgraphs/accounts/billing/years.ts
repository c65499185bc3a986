// Simulates many years, each from its own seed.
import { startSubscriptions } from './subscriptions/subscription-world.ts';
import { YEAR_ENVIRONMENT } from './year-people.ts';
import { SELLERS } from './year-shop.ts';
import { type YearSeen, liveYear } from './year.ts';

/** How many worlds run at once: while one waits for the database, another works. More would only poll the database more often. */
const CONCURRENCY = 3;

/** Simulates and checks the years of `count` seeds from `first` on. Returns what they have seen together; a failure names its seed. */
export async function liveYears(first: number, count: number): Promise<YearSeen> {
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const seen: YearSeen = {
    purchases: 0,
    renewals: 0,
    transfers: 0,
    refunds: 0,
    payOuts: 0,
    byPayPal: 0,
    inCoins: 0,
    delivered: 0,
    plans: 0,
    closed: 0,
    disputes: 0,
    payouts: 0,
    reissues: 0,
    failures: 0,
    ended: 0,
  };
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const lived = await liveInOwnWorld(seed);
      for (const name of Object.keys(seen) as (keyof YearSeen)[]) seen[name] += lived[name];
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return seen;
}

/** Simulates a year in a new world, which is cheaper than an old one: every sweep reads all subscriptions, also those of earlier years. */
async function liveInOwnWorld(seed: number): Promise<YearSeen> {
  const world = await startSubscriptions(YEAR_ENVIRONMENT, { sellers: SELLERS });
  try {
    return await liveYear(world, seed);
  } finally {
    await world.close();
  }
}
