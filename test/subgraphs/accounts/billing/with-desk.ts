// A world of billing with a member of support at the desk.
import { afterAll } from 'vitest';
import type { BillingWorld, Person } from './world.ts';

/** For the test file that asks for it: closed behind its last test. */
export async function withDesk<World extends Pick<BillingWorld, 'account' | 'close'>>(
  starting: Promise<World>,
): Promise<{ world: World; desk: Person }> {
  const world = await starting;
  afterAll(() => world.close());
  return { world, desk: await world.account('desk@example.com', 'STAFF') };
}
