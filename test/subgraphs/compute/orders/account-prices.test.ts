// Prices of one account for servers: what it orders, what it changes, and what renews.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { repricingJob } from '#commerce/repricing/reprice.ts';
import { REPRICED_SERVERS } from '../../../../subgraphs/compute/orders/services/repriced-servers.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf, rowOf } from '../../../kit/tables.ts';
import { deliver, id, orderId, owner, withOwnedVps, world } from '../owned-vps.ts';

withOwnedVps();

const finance = sessionOf('acct_desk', true);
const set = async (item: string, value: string, running = false) => {
  const { set: made } = await world.must<{ set: { id: string } }>(
    finance,
    `mutation ($item: String!, $value: String!, $running: Boolean!) {
      set: supportComputeAccountPriceSet(accountId: "acct_owner", item: $item, value: $value, reason: "volume", running: $running) { id } }`,
    { item, value, running },
  );
  return made.id;
};
const end = (price: string) => world.must(finance, 'mutation ($id: ID!) { supportComputeAccountPriceEnd(id: $id) { id } }', { id: price });
const offered = async (viewer: typeof owner) => {
  const { offer } = await world.must<{ offer: { lines: { amount: { amountMinor: number } }[] } }>(
    viewer,
    '{ offer: vpsOffer(plan: PLANK, months: 6, os: DEBIAN_12, extraIpv4: 2, backups: true) { lines { amount { amountMinor } } } }',
  );
  return offer.lines.map(({ amount }) => amount.amountMinor);
};

test('a VPS with its extras costs the account its own prices, and a change later goes by those of its purchase', async () => {
  const [plank, extra] = [await set('vps.PLANK', '1: 30.01, 3: 28, 6: 27.77'), await set('vps.extraIpv4', '10%')];
  // 27.77 x 6; 1.45 less 10 % is 1.305, half up 1.31, x 2 x 6; backups as the catalogue has them.
  expect(await offered(owner)).toEqual([16_662, 1_572, 3_000]);
  expect(await offered(sessionOf('acct_other'))).toEqual([16_998, 1_740, 3_000]);
  await deliver({ extraIpv4: 1 });
  world.clock.advance(1_000);
  for (const price of [plank, extra]) await end(price);
  expect(await offered(owner)).toEqual([16_998, 1_740, 3_000]);
  const { subscription } = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 2`);
  expect(subscription?.lines.map(({ amountMinor }) => amountMinor)).toEqual([3_001, 262]);
});

test('what runs is brought to a cheaper price, from its next renewal', async () => {
  await deliver();
  world.clock.advance(1_000);
  const price = await set('vps.PLANK', '25%', true);
  const { supportComputeRepricings: rows } = await world.must<{
    supportComputeRepricings: { id: string; accountId: string; waiting: number }[];
  }>(finance, '{ supportComputeRepricings { id accountId waiting } }');
  await repricingJob('compute', REPRICED_SERVERS).run(world.context(), { id: rows[0]?.id ?? '' });
  expect(rows[0]?.accountId).toBe('acct_owner');
  const server = await rowOf<{ subscription_id: string }>(world.query, 'compute.server', { id });
  const [event] = await eventsOf<any>(world.query, server?.subscription_id ?? '', 'repricing.announced');
  expect(event?.data).toMatchObject({ linesBefore: [{ amountMinor: 3_200 }], lines: [{ amountMinor: 2_400 }] });
  await world.tell('subscription.renewed', orderId, { version: 2, repricingId: event?.data.repricingId });
  world.clock.advance(DAY);
  await end(price);
  const upgrade = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
  expect(upgrade.subscription?.lines[0]?.amountMinor).toBe(4_400);
  const more = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 1`);
  expect(more.subscription?.lines.map(({ amountMinor }) => amountMinor)).toEqual([2_400, 145]);
});

test('the account reads its prices as its own, each for its plan', async () => {
  const price = await set('vps.EINSTEIN', '25%');
  const read = async (viewer: typeof owner) => {
    const { vpsPlans } = await world.must<{
      vpsPlans: { code: string; prices: { perMonth: { amountMinor: number } }[]; ownPrice: object | null }[];
    }>(
      viewer,
      '{ vpsPlans { code prices { perMonth { amountMinor } } ownPrice { until } } dedicatedPlans { ownPrice { until } prices { months } } }',
    );
    return vpsPlans.map(({ code, prices, ownPrice }) => [code, prices[0]?.perMonth.amountMinor, ownPrice !== null]);
  };
  expect(await read(owner)).toEqual([
    ['PLANK', 3_200, false],
    ['BROGLIE', 4_400, false],
    ['EINSTEIN', 4_800, true],
  ]);
  expect((await read(sessionOf('acct_other'))).at(-1)).toEqual(['EINSTEIN', 6_400, false]);
  await end(price);
});
