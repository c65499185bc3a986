import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { openOffer } from '#commerce/offers.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';

let world: MetalWorld;
beforeAll(async () => {
  world = await startMetal();
});
afterAll(() => world.close());

const owner = sessionOf('acct_owner');
/** The machine on which a server runs. */
async function machineOf(serverId: string) {
  const row = await rowOf<{ name: string }>(world.query, 'compute.bare_metal', { server_id: serverId });
  return world.controllers.machine(row?.name ?? '');
}
const reveal = async (id: string) =>
  (await world.must<{ password: string }>(owner, 'mutation ($id: ID!) { password: dedicatedServerRevealPassword(id: $id) }', { id }))
    .password;

test.each([
  ['UBUNTU_24_04', 'ubuntu', 'ubuntu-24-04'],
  ['DEBIAN_13', 'debian', 'debian-13'],
  ['WINDOWS_SERVER_2022', 'Administrator', 'windows-2022'],
])('a paid order of %s becomes a server with that system, its owner’s way in, and one fact for the order', async (os, login, image) => {
  const orderId = await world.order({ os });
  const { id } = await world.server(orderId);
  expect(await world.server(orderId)).toMatchObject({ status: 'PROVISIONING', login_name: login });
  const began = world.clock.now().getTime();
  expect(await world.run()).toBe(0);
  const minutes = (world.clock.now().getTime() - began) / MINUTE;
  expect(minutes).toBeGreaterThan(10);
  expect(minutes).toBeLessThan(25);
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', power_state: 'RUNNING' });
  const machine = await machineOf(id);
  const { server } = await world.must<{ server: { ipv4: string[]; operations: object[] } }>(
    owner,
    'query ($id: ID!) { server(id: $id) { ipv4 operations { command status progress error { code } } } }',
    { id },
  );
  expect(machine.disk).toMatchObject({ os: image, hostname: 'metal-1', ip: server.ipv4[0], users: { [login]: await reveal(id) } });
  expect(machine.media).toEqual({ cd: null, usb: null });
  expect(server.operations).toEqual([{ command: 'PROVISION', status: 'SUCCESS', progress: 100, error: null }]);
  expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_dedicated.delivered']);
});

describe('stock', () => {
  let small: MetalWorld;
  beforeAll(async () => {
    small = await startMetal({ machines: ['curie-1'] });
  });
  afterAll(() => small.close());
  const stock = async (accountId: string) =>
    (
      await small.must<{ dedicatedPlans: { code: string; stock: number }[] }>(sessionOf(accountId), '{ dedicatedPlans { code stock } }')
    ).dedicatedPlans.find(({ code }) => code === 'CURIE')?.stock;

  test('is not held by offers, from any number of accounts', async () => {
    for (let index = 0; index < 12; index++) await small.offer({ plan: 'CURIE', accountId: `acct_${index}` });
    expect([await stock('acct_a'), await stock('acct_b')]).toEqual([1, 1]);
    expect(await rowsOf(small.query, 'compute.stock_hold')).toEqual([]);
  });

  test('the last machine is held for one order for 15 minutes, less for an account that has never paid; others are refused', async () => {
    for (const [known, minutes] of [
      [true, 15],
      [false, 10],
    ] as const) {
      const tokens = await Promise.all(['acct_a', 'acct_b'].map((accountId) => small.offer({ plan: 'CURIE', accountId })));
      const orders = [
        await small.place(tokens[0] ?? '', 'acct_a', { known, from: 'a' }),
        await small.place(tokens[1] ?? '', 'acct_b', { known, from: 'b' }),
      ];
      const until = new Date(small.clock.now().getTime() + minutes * MINUTE).toISOString();
      expect(await small.answerTo(orders[0] ?? '')).toMatchObject([{ type: 'compute_stock.held', until }]);
      expect(await small.answerTo(orders[1] ?? '')).toMatchObject([{ type: 'compute_stock.refused', code: 'out_of_stock' }]);
      expect(await stock('acct_b')).toBe(0);
      await expect(small.offer({ plan: 'CURIE', accountId: 'acct_b' })).rejects.toThrow('stock');
      small.clock.advance(minutes * MINUTE);
      expect(await stock('acct_b')).toBe(1);
    }
  });

  test('accounts at one address that have never paid hold at most half of a plan’s machines', async () => {
    const shop = await startMetal({ machines: ['faraday-1', 'faraday-2', 'faraday-3'] });
    const codes: (string | undefined)[] = [];
    for (let index = 0; index < 3; index++) {
      const accountId = `acct_fresh_${index}`;
      const orderId = await shop.place(await shop.offer({ accountId }), accountId, { known: false, from: 'one door' });
      codes.push((await shop.answerTo(orderId))[0]?.code);
    }
    expect(codes).toEqual([undefined, 'hold_too_large', 'hold_too_large']);
    expect((await shop.answerTo(await shop.place(await shop.offer())))[0]?.type).toBe('compute_stock.held');
    await shop.close();
  });

  test('an order holds its machine until it is cancelled or expires, and a paid one until its delivery', async () => {
    const token = await small.offer({ plan: 'CURIE', accountId: 'acct_a' });
    const { fulfil } = openOffer(token, 'acct_a', small.platform.secrets.offers, small.clock);
    const orderId = await small.place(token, 'acct_a');
    expect(await stock('acct_b')).toBe(0);
    await small.tell({ type: 'order.cancelled', subject: orderId, accountId: 'acct_a', data: { seller: 'compute', fulfil } });
    expect(await stock('acct_b')).toBe(1);
    // The order is paid and held for review: the machine stays reserved until `holdUntil`, and no longer.
    const held = await small.place(await small.offer({ plan: 'CURIE', accountId: 'acct_a' }), 'acct_a');
    const tell = (type: 'order.held' | 'order.refunded', more: object) =>
      small.tell({ type, subject: held, accountId: 'acct_a', data: { seller: 'compute', fulfil, ...more } });
    await tell('order.held', { holdUntil: new Date(small.clock.now().getTime() + 3 * DAY).toISOString() });
    small.clock.advance(3 * DAY - 1);
    expect(await stock('acct_b')).toBe(0);
    small.clock.advance(1);
    expect(await stock('acct_b')).toBe(1);
    await tell('order.held', { holdUntil: new Date(small.clock.now().getTime() + 3 * DAY).toISOString() });
    expect(await stock('acct_b')).toBe(0);
    await tell('order.refunded', {});
    expect(await stock('acct_b')).toBe(1);
    // Support has confirmed a bank transfer for an order without a hold: a machine is taken for it now.
    await small.pay(await small.offer({ plan: 'CURIE', accountId: 'acct_a' }), 'ord_by_transfer', 'acct_a');
    expect(await stock('acct_b')).toBe(0);
  });
});
