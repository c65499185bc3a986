// A cancellation, and who may ask for it.
import { expect, test } from 'vitest';
import { codeOf, dataOf } from '../../world.ts';
import { openRenewing, world, someone, CANCEL, KEEP } from '../renewals/renewing.ts';

openRenewing();

test('a cancellation ends with the period, and can be taken back until then', async () => {
  const gus = await someone();
  const { id } = await world.subscribe(gus);
  expect(dataOf(await world.ask(gus.viewer, CANCEL(id)), 'subscriptionCancel')).toMatchObject({
    cancelAtPeriodEnd: true,
    upcomingRenewal: null,
  });
  expect(codeOf(await world.ask(gus.viewer, CANCEL(id)))).toBe('action_not_allowed');
  await world.rest();
  const atProcessor = () => world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id);
  expect(atProcessor()?.cancel_at_period_end).toBe(true);
  expect(dataOf(await world.ask(gus.viewer, KEEP(id)), 'subscriptionKeep')).toMatchObject({ cancelAtPeriodEnd: false });
  await world.rest();
  expect(atProcessor()?.cancel_at_period_end).toBe(false);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE' });
  await world.ask(gus.viewer, CANCEL(id));
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'CANCELLED' });
  expect(codeOf(await world.ask(gus.viewer, KEEP(id)))).toBe('action_not_allowed');
  expect(await world.facts(id)).toEqual(['started', 'cancel_scheduled', 'cancel_taken_back', 'renewed', 'cancel_scheduled', 'ended']);
  expect(await world.orders(id)).toHaveLength(2);
});

test("another's subscription is not found, whatever is asked of it", async () => {
  const [hal, mallory] = [await someone(), await someone()];
  const { id } = await world.subscribe(hal);
  for (const query of [
    CANCEL(id),
    KEEP(id),
    `mutation { subscriptionPayNow(id: "${id}", idempotencyKey: "mallory-1") { id } }`,
    `mutation { subscriptionSetCard(id: "${id}", cardId: "pm_1") { id } }`,
  ])
    expect(codeOf(await world.ask(mallory.viewer, query))).toBe('subscription_not_found');
});
