// What staff do with servers: each is refused where it makes no sense, is recorded, and is told to the owner where it concerns them.
import { beforeEach, expect, test } from 'vitest';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { runCommand } from '#platform/desk-command.ts';
import { SERVER_COMMANDS, type ServerWords } from '../../../../subgraphs/compute/commands/desk-servers.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';
import { act, deliver, id, machine, orderId, owner, reasonOf, settle, shown, withOwnedVps, world, write } from '../owned-vps.ts';

withOwnedVps();
beforeEach(() => deliver());

const staff = sessionOf('acct_staff', true);
const REASON = 'A complaint of a network.';

/** The answer of a mutation, or the code and reason of its refusal. */
async function ask(mutation: string, more: Record<string, string> = {}, viewer = staff): Promise<unknown> {
  const given = { id, reason: REASON, ...more };
  const args = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const picked = /Rebuild|Move|ChangeAddress/.test(mutation) ? ' { command }' : '';
  const { data, errors } = await world.ask(viewer, `mutation { said: ${mutation}(${args.join(', ')})${picked} }`);
  return errors ? `${String(errors[0]?.extensions['code'])}: ${errors[0]?.message}` : (data as { said: unknown }).said;
}
const desk = async () =>
  (
    await world.must<{
      supportServer: Record<string, unknown> & { actions: { action: string; allowed: boolean; reason: string | null }[] };
    }>(
      staff,
      `{ supportServer(id: "${id}") { status node machineNumber suspendedAt suspensionReason nodes actions { action allowed reason }
        operations { operation { command status error { message } } tries trouble } } }`,
    )
  ).supportServer;
const refusedAtDesk = async () => {
  const { actions } = await desk();
  return Object.fromEntries(actions.filter(({ allowed }) => !allowed).map(({ action, reason }) => [action, reason]));
};
const named = async () =>
  (await rowOf<{ hostname: string; subscription_id: string }>(world.query, 'compute.server', { id })) ?? expect.fail('no server');
const told = async () =>
  (await rowsOf<{ data: object }>(world.query, 'platform.event', { subject: id, type: 'compute_server.handled' }, { orderBy: 'at' })).map(
    ({ data }) => data,
  );
const acts = async () =>
  (
    await rowsOf<{ data: { act: string; permission: string; given: object } }>(
      world.query,
      'platform.event',
      { type: 'staff.acted' },
      { orderBy: 'at' },
    )
  ).map(({ data }) => data);

test('a suspended server is off and its owner can only cancel it; restored it runs again', async () => {
  expect(await refusedAtDesk()).toEqual({ restore: 'Nobody has suspended this server.' });
  expect(await ask('supportServerSuspend', { reason: ' ' })).toContain('parameter_invalid');
  expect(await ask('supportServerSuspend', {}, owner)).toContain('forbidden');
  expect(await ask('supportServerSuspend')).toBe(true);
  expect(await ask('supportServerSuspend')).toBe('action_not_allowed: The server is suspended already.');
  await settle();
  expect(machine()).toMatchObject({ running: false, config: { onboot: '0' } });
  expect(await desk()).toMatchObject({ status: 'ACTIVE', suspensionReason: REASON, suspendedAt: expect.any(String) });
  expect(await reasonOf('start')).toBe('The server is suspended: our e-mail says why, and support can help.');
  expect(await act('vpsStart')).toContain('action_not_allowed');
  expect((await shown()).availableActions.filter(({ allowed }) => allowed).map(({ action }) => action)).toEqual(['cancel']);

  // Neither the end of a dispute nor that of a suspension of the account lets it run.
  await world.freeze(true, orderId);
  await world.freeze(false, orderId);
  await world.suspend(true);
  await world.suspend(false);
  await settle();
  expect(machine()?.running).toBe(false);

  expect(await ask('supportServerRestore', { reason: 'Settled.' })).toBe(true);
  await settle();
  expect(machine()).toMatchObject({ running: true, config: { onboot: '1' } });
  expect(await told()).toMatchObject([
    { act: 'SUSPENDED', reason: REASON, hostname: expect.any(String) },
    { act: 'RESTORED', reason: 'Settled.' },
  ]);
  expect((await acts()).filter(({ given }) => (given as { id?: string }).id === id)).toMatchObject([
    { act: 'supportServerSuspend', permission: 'suspend', given: { id, reason: REASON } },
    { act: 'supportServerRestore', permission: 'suspend' },
  ]);
});

test('a server of a suspended account stays off when staff restore it', async () => {
  await ask('supportServerSuspend');
  await world.suspend(true);
  await ask('supportServerRestore');
  await settle();
  expect(machine()?.running).toBe(false);
  await world.suspend(false);
  await settle();
  expect(machine()?.running).toBe(true);
});

test('deleting tells accounts to end the subscription, once the host name is typed', async () => {
  const { hostname, subscription_id: subscriptionId } = await named();
  expect(await ask('supportServerDelete', { hostname: 'another' })).toBe(`parameter_invalid: Type ${hostname} to confirm.`);
  expect(await ask('supportServerDelete', { hostname })).toBe(true);
  expect(await told()).toMatchObject([{ act: 'ENDED', subscriptionId, reason: REASON }]);
});

test('a rebuild wipes the disk, keeps the address, and sets another password', async () => {
  const { hostname } = await named();
  const [before] = (await shown()).ipv4;
  await write('/srv/theirs', 'data');
  expect(await ask('supportServerRebuild', { hostname })).toEqual({ command: 'REINSTALL' });
  expect(await refusedAtDesk()).toMatchObject({ rebuild: 'Another action of this server is still under way.', move: expect.any(String) });
  await world.run();
  expect(machine()?.disk?.contents).not.toHaveProperty('/srv/theirs');
  expect((await shown()).ipv4).toEqual([before]);
  expect(await told()).toMatchObject([{ act: 'REBUILT' }]);
});

test('a machine moves while it runs, and its room is counted on both nodes until it has moved', async () => {
  const from = machine()?.node ?? '';
  const { nodes } = (await desk()) as unknown as { nodes: string[] };
  const [to = ''] = nodes;
  expect(nodes).not.toContain(from);
  expect(await ask('supportServerMove', { node: from })).toBe(`action_not_allowed: The server is on ${from} already.`);
  expect(await ask('supportServerMove', { node: 'nowhere' })).toContain('hypervisor_node_not_found');
  const { promised: ahead } = (await room(to))!;
  expect(await ask('supportServerMove', { node: to })).toEqual({ command: 'MOVE' });
  const { startedAt } = machine()!;
  await world.run(20);
  expect([(await room(from))?.promised.ramGb, (await room(to))?.promised.ramGb]).toEqual([16, ahead.ramGb + 16]);
  await world.run();
  expect(machine()).toMatchObject({ node: to, running: true, startedAt, lock: null });
  expect(await rowOf(world.query, 'compute.placement', { server_id: id })).toMatchObject({ node: to });
  expect((await shown()).powerState).toBe('RUNNING');
  expect((await room(from))?.promised.ramGb).toBe(0);
  await reconcileMachines(world.context());
  expect(await act('vpsReboot')).toBe('begun');
  await world.run();
  expect(
    (await acts()).filter(({ act: done, given }) => done === 'supportServerMove' && (given as { id?: string }).id === id),
  ).toHaveLength(1);
  // Nobody needs to be told of it.
  expect(await told()).toEqual([]);
});
const room = async (name: string) =>
  (
    await world.must<{ supportInfrastructure: { nodes: { name: string; promised: { ramGb: number } }[] } }>(
      staff,
      '{ supportInfrastructure { nodes { name promised { ramGb } } } }',
    )
  ).supportInfrastructure.nodes.find((node) => node.name === name);

test('a move that the hypervisor gives up leaves the server where it is, and says why', async () => {
  const from = machine()?.node ?? '';
  const [to = ''] = ((await desk()) as unknown as { nodes: string[] }).nodes;
  expect(await ask('supportServerMove', { node: to })).toEqual({ command: 'MOVE' });
  await world.hypervisor.fill(to, true);
  await world.run();
  await world.hypervisor.fill(to, false);
  expect(machine()).toMatchObject({ node: from, running: true, lock: null });
  expect((await room(to))?.promised.ramGb).toBe(0);
  expect(((await desk()) as unknown as { operations: object[] }).operations[0]).toMatchObject({
    operation: { command: 'MOVE', status: 'ERROR', error: { message: expect.stringContaining('no space left on device') } },
  });
});

test('draining a node takes it into maintenance and moves all of its machines, two at a time', async () => {
  for (let more = 0; more < 6; more++) await world.order({ accountId: `acct_${more}` });
  await world.run();
  const on = (name: string) => world.hypervisor.machines().filter(({ node }) => node === name);
  // Seven machines on three nodes.
  const from = ['fra1', 'fra2', 'fra3'].find((name) => on(name).length >= 3) ?? expect.fail('nowhere three');
  const count = on(from).length;
  const drained = await world.must<{ moves: number }>(
    staff,
    `mutation { moves: supportNodeDrain(name: "${from}", reason: "New memory.") }`,
  );
  expect(drained).toEqual({ moves: count });
  await world.run(10);
  expect(on(from).filter(({ lock }) => lock === 'migrate')).toHaveLength(2);
  await world.run();
  expect(on(from)).toEqual([]);
  expect(world.hypervisor.machines().every(({ running }) => running)).toBe(true);
  await world.must(staff, `mutation { supportNodeSetMaintenance(name: "${from}", inMaintenance: false) }`);
}, 180_000);

test('another address takes the place of one, also inside of the machine, and the old one rests', async () => {
  const [before = ''] = (await shown()).ipv4;
  expect(await ask('supportServerChangeAddress', { ip: '127.80.0.1' })).toBe('parameter_invalid: The server has no such address.');
  expect(await ask('supportServerChangeAddress', { ip: before })).toEqual({ command: 'CHANGE_ADDRESS' });
  const [after = ''] = (await shown()).ipv4;
  expect(after).not.toBe(before);
  await world.run();
  expect(machine()).toMatchObject({ running: true, config: { ipconfig0: expect.stringContaining(`ip=${after}/`) } });
  expect(Object.values(machine()?.firewall.ipsets ?? {}).flat()).toEqual([after]);
  expect(await rowOf(world.query, 'compute.address', { ip: before })).toMatchObject({ server_id: null });
  expect(await told()).toMatchObject([{ act: 'READDRESSED', before, after, reason: REASON }]);
});

test('a server of their own account is none for a member of staff, and an unknown one is not found', async () => {
  expect(await ask('supportServerSuspend', {}, sessionOf('acct_owner', true))).toContain('own_account_refused');
  expect(await ask('supportServerSuspend', { id: 'vps_none' })).toContain('server_not_found');
});

test('the commands of the desk do the same, and are recorded', async () => {
  const run = (name: string, words: Partial<ServerWords> = {}) =>
    runCommand({ ...world.context(), viewer: staff }, name, SERVER_COMMANDS[name] ?? expect.fail(name), { of: id, ...words });
  await expect(run('suspend')).rejects.toThrow('This needs --reason.');
  expect(await run('suspend', { reason: REASON })).toBe(`${id} is suspended.`);
  await settle();
  expect(machine()?.running).toBe(false);
  expect(await run('show')).toContain(`suspended\t${REASON}`);
  expect((await acts()).at(-1)).toMatchObject({ act: 'suspend', permission: 'suspend', given: { of: id, reason: REASON } });
  await run('restore', { reason: 'Settled.' });
  await settle();
  const from = machine()?.node ?? '';
  expect(await run('drain', { of: from, reason: 'New memory.' })).toMatch(/^fra\d is in maintenance; machines that begin to move: [1-9]/);
  await world.run();
  expect(machine()?.node).not.toBe(from);
  expect(await run('nodes', { of: '' })).toMatch(new RegExp(`^${from}\tmaintenance\t0\t`, 'm'));
  expect(await run('end-maintenance', { of: from })).toBe(`${from} takes machines.`);
  expect(await run('stuck', { of: '' })).toBe('');
  await expect(run('again', { of: 'op_none' })).rejects.toThrow();
});
