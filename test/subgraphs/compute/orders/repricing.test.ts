// A running VPS gets the catalogue's prices of a moment: computed from what it has, and taken over when the first such period is paid.
import { expect, test } from 'vitest';
import { repricingJob } from '#commerce/repricing/reprice.ts';
import { DAY } from '#platform/clock.ts';
import { REPRICED_SERVERS } from '../../../../subgraphs/compute/orders/services/repriced-servers.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf, rowOf } from '../../../kit/tables.ts';
import { deliver, id, orderId, withOwnedVps, world } from '../owned-vps.ts';

withOwnedVps();

const desk = sessionOf('acct_desk', true);
const setPrice = (item: string, field: string, value: string) =>
  world.must(
    desk,
    'mutation ($item: String!, $field: String!, $value: String!) { supportComputeCatalogueSet(item: $item, field: $field, value: $value, reason: "dearer") { value } }',
    { item, field, value },
  );
const announced = async () => {
  const server = await rowOf<{ subscription_id: string }>(world.query, 'compute.server', { id });
  const events = await eventsOf<{ linesBefore: { amountMinor: number }[]; lines: { amountMinor: number }[] }>(
    world.query,
    server?.subscription_id ?? '',
    'repricing.announced',
  );
  return events.map(({ data }) => [data.linesBefore, data.lines].map((lines) => lines.map(({ amountMinor }) => amountMinor)));
};

test('an announced price counts the extras, follows an upgrade, and holds for later changes once it is paid', async () => {
  await deliver({ extraIpv4: 2 });
  world.clock.advance(1_000);
  await setPrice('vps.PLANK', 'prices', '1: 35, 3: 32, 6: 30');
  await setPrice('vps.BROGLIE', 'prices', '1: 50, 3: 46, 6: 44');
  await setPrice('vps.extraIpv4', 'price', '2.00');
  const { supportComputeReprice } = await world.must<{ supportComputeReprice: { id: string; waiting: number } }>(
    desk,
    'mutation ($from: DateTime!) { supportComputeReprice(item: "vps.PLANK", from: $from, reason: "Energy") { id waiting } }',
    { from: new Date(world.clock.now().getTime() + 31 * DAY).toISOString() },
  );
  expect(supportComputeReprice.waiting).toBe(1);
  await repricingJob('compute', REPRICED_SERVERS).run(world.context(), { id: supportComputeReprice.id });
  expect(await announced()).toEqual([
    [
      [3_200, 290],
      [3_500, 400],
    ],
  ]);
  const upgrade = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
  expect(upgrade.subscription?.lines[0]?.amountMinor).toBe(4_400);
  await world.pay(upgrade.fulfil, { version: 2 });
  await world.run();
  expect((await announced()).at(-1)).toEqual([
    [4_400, 290],
    [5_000, 400],
  ]);
  await world.tell('subscription.renewed', orderId, { version: 3 });
  expect(
    (await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 3`)).subscription?.lines.map(({ amountMinor }) => amountMinor),
  ).toEqual([4_400, 435]);
  await world.tell('subscription.renewed', orderId, { version: 4, repricingId: supportComputeReprice.id });
  expect(
    (await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 3`)).subscription?.lines.map(({ amountMinor }) => amountMinor),
  ).toEqual([5_000, 600]);
});
