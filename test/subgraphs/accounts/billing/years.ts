// Many years, each from a seed of its own.
import { startSubscriptions } from './subscriptions/subscription-world.ts';
import { YEAR_ENVIRONMENT } from './year-people.ts';
import { SELLERS } from './year-shop.ts';
import { type YearSeen, liveYear } from './year.ts';

/** Worlds at once: while one waits for the database the other works. More would only ask it more often whether there is anything to do. */
const CONCURRENCY = 3;

/** Lives through the years of `count` seeds from `first` on, and judges each; what they have seen together. A failure names its seed. */
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

/** Every sweep looks through all subscriptions, also of years before: a new world is cheaper. */
async function liveInOwnWorld(seed: number): Promise<YearSeen> {
  const world = await startSubscriptions(YEAR_ENVIRONMENT, { sellers: SELLERS });
  try {
    return await liveYear(world, seed);
  } finally {
    await world.close();
  }
}
