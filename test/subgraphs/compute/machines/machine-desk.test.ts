// Machines without remote management, which staff operate by hand from the desk.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionOf } from '../../../kit/platform.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { rowOf } from '../../../kit/tables.ts';

let world: MetalWorld;
const desk = sessionOf('acct_desk', true);
const colleague = sessionOf('acct_colleague', true);
const owner = sessionOf('acct_owner');
const BY_HAND = { name: 'rack-1', plan: 'CURIE', ip: '127.81.0.90', prefixLength: 16, gateway: '127.81.0.1' };
beforeAll(async () => {
  world = await startMetal({ machines: ['faraday-1'] });
});
afterAll(() => world.close());

const keep = (machines: object[], viewer = desk) =>
  world.ask(viewer, 'mutation ($machines: [MachineInput!]!) { supportMachinesKeep(machines: $machines) { kept problems } }', { machines });
interface Work {
  operation: { id: string; command: string };
  hostname: string;
  mine: boolean;
  machine: { name: string } | null;
}
const waiting = async () =>
  (
    await world.must<{ supportHandWork: Work[] }>(
      desk,
      '{ supportHandWork { operation { id command } hostname mine machine { name ip } } }',
    )
  ).supportHandWork;
const say = async (mutation: string, operationId: string, { args = '', viewer = desk } = {}) => {
  const { data, errors } = await world.ask(viewer, `mutation ($id: ID!) { said: ${mutation}(operationId: $id${args}) }`, {
    id: operationId,
  });
  return errors ? (errors[0]?.message ?? '') : (data as { said: unknown }).said;
};
const claim = async (operationId: string, viewer = desk) => {
  const { errors } = await world.ask(viewer, 'mutation ($id: ID!) { supportHandWorkClaim(operationId: $id) { mine } }', {
    id: operationId,
  });
  return errors?.[0]?.message ?? 'claimed';
};

test('imports all machines or none, and names each problem', async () => {
  expect(await keep([BY_HAND], owner)).toMatchObject({ errors: [{ extensions: { code: 'forbidden' } }] });
  const wrong = [
    { ...BY_HAND, name: 'Rack one', ip: 'here' },
    { ...BY_HAND, name: 'rack-2', gateway: BY_HAND.ip },
  ];
  expect(await keep(wrong)).toMatchObject({
    data: { supportMachinesKeep: { kept: 0, problems: expect.arrayContaining([expect.stringContaining('0.ip')]) } },
  });
  expect(await keep([BY_HAND, { ...BY_HAND, name: 'rack-3' }])).toMatchObject({ data: { supportMachinesKeep: { kept: 0 } } });
  expect(await keep([BY_HAND])).toMatchObject({ data: { supportMachinesKeep: { kept: 1, problems: [] } } });
  expect(await keep([{ ...BY_HAND, name: 'rack-4' }])).toMatchObject({
    data: { supportMachinesKeep: { problems: ['rack-4: 127.81.0.90 belongs to another machine'] } },
  });
});

test('a manual delivery is claimed by one member of staff, who gets the password, and makes the server Active', async () => {
  const orderId = await world.order({ plan: 'CURIE' });
  const { id } = await world.server(orderId);
  await world.run(60);
  const [work] = await waiting();
  expect(work).toMatchObject({ operation: { command: 'PROVISION' }, hostname: 'metal-1', mine: false, machine: { name: 'rack-1' } });
  const operationId = work?.operation.id ?? '';
  expect(await say('supportHandWorkDone', operationId)).toBe('Claim it first.');
  expect(await claim(operationId)).toBe('claimed');
  expect(await claim(operationId, colleague)).toBe('Somebody else has taken this in hand, or it is done.');
  const password = await say('supportHandWorkRevealPassword', operationId);
  expect(await say('supportHandWorkRevealPassword', operationId, { viewer: colleague })).toBe('Claim it first.');
  expect(await say('supportHandWorkDone', operationId, { args: ', loginName: "admin"' })).toBe(true);
  await world.run();
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', login_name: 'admin' });
  const { told } = await world.must<{ told: string }>(owner, 'mutation ($id: ID!) { told: dedicatedServerRevealPassword(id: $id) }', {
    id,
  });
  expect(told).toBe(password);
  expect(await waiting()).toEqual([]);
  const { server } = await world.must<{ server: { availableActions: { action: string; allowed: boolean; reason: string | null }[] } }>(
    owner,
    'query ($id: ID!) { server(id: $id) { availableActions { action allowed reason } } }',
    { id },
  );
  expect(server.availableActions.find(({ action }) => action === 'reboot')).toEqual({
    action: 'reboot',
    allowed: false,
    reason: 'This machine is worked by hand: write to support.',
  });

  // Reinstalling and wiping are done by hand too; wiping cannot be refused.
  await world.must(owner, 'mutation ($id: ID!) { dedicatedServerReinstall(id: $id, os: DEBIAN_12) { id } }', { id });
  await world.run(60);
  const [again] = await waiting();
  await claim(again?.operation.id ?? '');
  await say('supportHandWorkDone', again?.operation.id ?? '');
  await world.run();
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', os: 'DEBIAN_12' });
  await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
  await world.run(60);
  const [wiping] = await waiting();
  await claim(wiping?.operation.id ?? '');
  expect(await say('supportHandWorkRefuse', wiping?.operation.id ?? '', { args: ', reason: "No time"' })).toContain('Disks must be wiped');
  await say('supportHandWorkDone', wiping?.operation.id ?? '');
  await world.run();
  expect(await world.tables.machinesInUse()).toEqual([]);
});

test('a delivery that support refuses is refunded', async () => {
  await keep([{ ...BY_HAND, name: 'rack-5', ip: '127.81.0.91' }]);
  const orderId = await world.order({ plan: 'CURIE' });
  const { id } = await world.server(orderId);
  await world.run(60);
  const [work] = await waiting();
  await claim(work?.operation.id ?? '');
  expect(await say('supportHandWorkRefuse', work?.operation.id ?? '', { args: ', reason: "The machine is broken."' })).toBe(true);
  await world.run(60);
  expect(await world.server(orderId)).toMatchObject({ status: 'DECOMMISSIONED' });
  const failed = await rowOf<{ data: object }>(world.query, 'platform.event', { subject: id, type: 'compute_dedicated.failed' });
  expect(failed?.data).toEqual({ orderId, reason: 'The machine is broken.' });
});

test('an operation that keeps failing comes to the desk', async () => {
  await world.controllers.change('faraday-1', (machine) => (machine.jammed = 99));
  const orderId = await world.order();
  await world.run(4 * 3_600);
  expect(await world.server(orderId)).toMatchObject({ status: 'PROVISIONING' });
  expect((await waiting()).map(({ operation, machine }) => [operation.command, machine?.name])).toContainEqual(['PROVISION', 'faraday-1']);
});
