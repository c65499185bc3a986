import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';
import { addSuspended } from '../../../../kit/subscription.ts';
import { setFaults } from '../../../../kit/faults.ts';

/** More subscriptions than the sweep reads in one batch. */
const OTHERS = 501;

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

test('a subscription renews in time, without a notice too, however many before it are suspended and looked at again and again', async () => {
  const { id } = await world.subscribe(await world.account('late@example.com'));
  await addSuspended(world.query, id, OTHERS);
  setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  await world.toPeriodEnd(id);
  const [, renewal] = await world.orders(id);
  expect(renewal).toMatchObject({ kind: 'RENEWAL', status: 'FULFILLED' });
});
