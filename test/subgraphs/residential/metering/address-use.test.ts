// Which plan used an exit address at a time: nodes report their exits, staff can search them, and billing ignores them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import type { ExitShare, LeasePart } from '../../../../edge/protocol/control-plane.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world.close());

const staff = sessionOf('acct_staff', true);
const QUERY = `query ($address: String!, $at: DateTime!, $minutes: Int! = 10) { supportAddressUse(address: $address, at: $at, minutes: $minutes) {
  plan { id account { id } } session client exit address upBytes downBytes hostCount hosts(first: 1) { host downBytes } } }`;
const askUse = (address: string, at: Date, minutes?: number, by = staff) =>
  world.ask(by, QUERY, { address, at: at.toISOString(), ...(minutes !== undefined && { minutes }) });
const usesAt = async (address: string, at = world.clock.now(), minutes?: number) =>
  ((await askUse(address, at, minutes)).data as { supportAddressUse: unknown[] }).supportAddressUse;

const exit = (id: string, address: string | undefined, up: number, down: number): ExitShare => ({
  id,
  up,
  down,
  ...(address && { address }),
});
const part = (host: string, up: number, down: number, exits?: ExitShare[], session: string | null = null): LeasePart => ({
  country: 'de',
  session,
  host,
  client: '198.51.100.7',
  up,
  down,
  ...(exits && { exits }),
});
async function leaseOf(plan: Plan): Promise<string> {
  const wants = [{ planId: plan.id, epoch: plan.credentialEpoch, bytes: 1_000_000, starved: false }];
  return (await syncLeases(world.context(), 'node', { reports: [], wants })).grants[0]?.lease ?? expect.unreachable();
}
const report = (lease: string, parts: LeasePart[]) =>
  syncLeases(world.context(), 'node', { reports: [{ lease, parts, final: false }], wants: [] });

test('staff finds by address and by exit who used it, with hosts and bytes, and nobody at another time', async () => {
  const [plan, other] = [await world.plan('acct_1'), await world.plan('acct_2')];
  const lease = await leaseOf(plan);
  await report(lease, [
    part('a.example', 10, 300, [exit('fra-1', '192.0.2.10', 5, 100), exit('fra-2', '192.0.2.11', 5, 200)]),
    part('b.example', 1, 700, [exit('fra-1', '192.0.2.10', 1, 700)], '12345678'),
  ]);
  await report(await leaseOf(other), [part('c.example', 2, 3, [exit('parent-1', undefined, 2, 3)])]);
  const use = {
    plan: { id: plan.id, account: { id: 'acct_1' } },
    client: '198.51.100.7',
    exit: 'fra-1',
    address: '192.0.2.10',
    hostCount: 1,
  };
  expect(await usesAt('::ffff:192.0.2.10')).toEqual([
    { ...use, session: '12345678', upBytes: '1', downBytes: '700', hosts: [{ host: 'b.example', downBytes: '700' }] },
    { ...use, session: null, upBytes: '5', downBytes: '100', hosts: [{ host: 'a.example', downBytes: '100' }] },
  ]);
  expect(await usesAt('fra-2')).toMatchObject([{ plan: { id: plan.id }, downBytes: '200' }]);
  expect(await usesAt('parent-1')).toMatchObject([{ plan: { account: { id: 'acct_2' } }, address: null }]);
  const now = world.clock.now();
  expect(await usesAt('192.0.2.10', after(now, 9 * MINUTE))).toHaveLength(2);
  expect(await usesAt('192.0.2.10', after(now, 11 * MINUTE))).toEqual([]);
  expect(await usesAt('192.0.2.10', after(now, HOUR), 61)).toHaveLength(2);
  expect(await usesAt('192.0.2.99')).toEqual([]);
});

test('bytes count the same whatever a report says of exits: nothing (older nodes), too much, or the same again', async () => {
  const plan = await world.plan('acct_3');
  const lease = await leaseOf(plan);
  await report(lease, [part('a.example', 0, 100)]);
  expect(await usesAt('203.0.113.1')).toEqual([]);
  await report(lease, [part('a.example', 0, 150, [exit('x', '203.0.113.1', 0, 50)])]);
  // The answer was lost: the node sends the same report again, with the bytes that have since flowed through another exit.
  await report(lease, [part('a.example', 0, 170, [exit('x', '203.0.113.1', 0, 50), exit('y', '203.0.113.2', 0, 20)])]);
  await report(lease, [part('a.example', 0, 180, [exit('z', '203.0.113.3', 5, 9_999)])]);
  expect(await world.tables.sumOfEntries(plan.id)).toEqual({ up: '0', down: '180' });
  expect(await usesAt('203.0.113.1')).toMatchObject([{ downBytes: '50' }]);
  expect(await usesAt('203.0.113.2')).toMatchObject([{ downBytes: '20' }]);
  expect(await usesAt('203.0.113.3')).toMatchObject([{ upBytes: '0', downBytes: '10' }]);
});

test('an abuse case gets an event for each plan that used its address', async () => {
  const plan = await world.plan('acct_7');
  await report(await leaseOf(plan), [part('a.example', 1, 2, [exit('fra-7', '192.0.2.77', 1, 2)])]);
  const at = world.clock.now();
  const data = { address: '192.0.2.77', at: at.toISOString(), minutes: 10 };
  await appendEvents(world.context().em, { type: 'abuse_case.use_asked', at, accountId: null, subject: 'abuse_1', data });
  await world.subgraph.reader.drain();
  const [told] = await world.events(plan.id, 'residential_plan.use_found');
  expect(told).toMatchObject({ data: { caseId: 'abuse_1', title: expect.stringContaining(plan.username) } });
  expect(told?.data).toMatchObject({ lines: [{ text: expect.stringContaining('to a.example: 1 bytes up, 2 bytes down') }] });
});

test('the search is for staff, and covers at most a day before and after', async () => {
  expect(codesOf(await askUse('192.0.2.10', world.clock.now(), 10, sessionOf('acct_1')))).toEqual(['forbidden']);
  for (const minutes of [0, 1_441]) expect(codesOf(await askUse('192.0.2.10', world.clock.now(), minutes))).toEqual(['parameter_invalid']);
});

test('a search for who used an address is recorded as an act of staff', async () => {
  const looks = () => world.events('acct_staff', 'staff.acted');
  const before = (await looks()).length;
  await usesAt('192.0.2.77');
  expect((await looks()).slice(before)).toMatchObject([
    { data: { act: 'supportAddressUse', permission: 'address_use', given: { address: '192.0.2.77', minutes: '10' } } },
  ]);
  await askUse('192.0.2.77', world.clock.now(), 10, sessionOf('acct_1'));
  expect(await looks()).toHaveLength(before + 1);
});
