import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#shared/clock.ts';
import { openOffer } from '#shared/offers.ts';
import { sessionOf } from '../kit/platform.ts';
import { type MetalWorld, startMetal } from './metal-world.ts';

let world: MetalWorld;
beforeAll(async () => {
  world = await startMetal();
});
afterAll(() => world.close());

const owner = sessionOf('acct_owner');
/** The machine that a server has. */
async function machineOf(serverId: string) {
  const [row] = await world.query<{ name: string }>('select name from compute.bare_metal where server_id = $1', [serverId]);
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
  expect(await world.facts(id)).toEqual(['compute_dedicated.delivered']);
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

  test('the last machine is held for the account that was offered it, for a quarter of an hour; everybody else sees none', async () => {
    expect(await stock('acct_a')).toBe(1);
    await small.offer({ plan: 'CURIE', accountId: 'acct_a' });
    await small.offer({ plan: 'CURIE', accountId: 'acct_a' });
    expect([await stock('acct_a'), await stock('acct_b')]).toEqual([1, 0]);
    await expect(small.offer({ plan: 'CURIE', accountId: 'acct_b' })).rejects.toThrow('stock');
    small.clock.advance(17 * MINUTE);
    expect(await stock('acct_b')).toBe(1);
  });

  test('many accounts at once: one is offered it', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => small.offer({ plan: 'CURIE', accountId: `acct_${index}` })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    small.clock.advance(17 * MINUTE);
  });

  test('an order keeps it until it is paid, cancelled or expired', async () => {
    const token = await small.offer({ plan: 'CURIE', accountId: 'acct_a' });
    const { fulfil } = openOffer(token, 'acct_a', small.platform.secrets.offers, small.clock);
    const orderId = await small.place(token, 'acct_a');
    small.clock.advance(HOUR);
    expect(await stock('acct_b')).toBe(0);
    await small.tell('order.cancelled', { seller: 'compute', fulfil }, { subject: orderId, accountId: 'acct_a' });
    expect(await stock('acct_b')).toBe(1);
  });
});
