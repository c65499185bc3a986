// Adds a member of support to a world of billing.
import { afterAll } from 'vitest';
import type { BillingWorld, Person } from './world.ts';

/** Resolves with the started world and the member of support. Closes the world after the last test of the calling file. */
export async function withDesk<World extends Pick<BillingWorld, 'account' | 'close'>>(
  starting: Promise<World>,
): Promise<{ world: World; desk: Person }> {
  const world = await starting;
  afterAll(() => world.close());
  return { world, desk: await world.account('desk@example.com', 'STAFF') };
}
