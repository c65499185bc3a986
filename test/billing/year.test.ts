import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';
import { liveYear } from './year.ts';

/** More of them: SEEDS=200. */
const SEEDS = Number(process.env['SEEDS'] ?? 1);

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

test.each(Array.from({ length: SEEDS }, (_, index) => 1 + index))(
  'a year of seed %d leaves books that agree',
  { timeout: 300_000 },
  async (seed) => {
    const { purchases, renewals } = await liveYear(world, seed);
    expect(purchases).toBeGreaterThan(0);
    expect(renewals).toBeGreaterThan(0);
  },
);
