// Many years, each from a seed of its own.
import { startSubscriptions } from './subscription-world.ts';
import { type YearSeen, liveYear } from './year.ts';

/** Years that share a world: one after the other by its clock, and not so many that each looks through all before it. */
const TOGETHER = 5;
/** Worlds at once: most of a year is waiting for answers. */
const AT_ONCE = 4;

/** Lives through the years of `count` seeds from `first` on, and judges each; what they have seen together. A failure names its seed. */
export async function liveYears(first: number, count: number): Promise<YearSeen> {
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const together = Math.min(TOGETHER, Math.ceil(count / AT_ONCE));
  const seen: YearSeen = { purchases: 0, renewals: 0, failures: 0, ended: 0 };
  const lane = async () => {
    for (let next = seeds.splice(0, together); next.length > 0; next = seeds.splice(0, together)) {
      const lived = await liveInOneWorld(next);
      for (const name of ['purchases', 'renewals', 'failures', 'ended'] as const) seen[name] += lived[name];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return seen;
}

async function liveInOneWorld(seeds: readonly number[]): Promise<YearSeen> {
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
